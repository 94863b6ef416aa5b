import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bridgeFile } from '../mcp/running-server.ts';

/** Rows that a client inserts through the bridge. Records which rows the answers report as applied or unknown. */
export class BridgedRows {
  readonly applied = new Set<number>();
  readonly unknown = new Set<number>();
  readonly #home: string;
  readonly #table: string;
  #next = 0;
  #open: { client: Client; transport: StdioClientTransport } | undefined;

  constructor(home: string, table: string) {
    this.#home = home;
    this.#table = table;
  }

  /** Inserts `count` rows in one call. Unless all rows are certainly stored, returns the answer or the error. */
  async insert(count: number): Promise<string | undefined> {
    const ordinals = Array.from({ length: count }, () => this.#next++);
    const rows = ordinals.map((ordinal) => ({ ordinal }));
    try {
      const client = await this.#client();
      const { content } = await client.callTool(
        { name: 'insert_rows', arguments: { connection_id: 'Cluster', table: this.#table, rows } },
        { timeout: 120_000 },
      );
      return this.#settle(ordinals, (content as { text: string }[])[0]!.text);
    } catch (error) {
      // Without an answer, any of the rows may be stored.
      for (const ordinal of ordinals) this.unknown.add(ordinal);
      this.#open = undefined;
      return (error as Error).message;
    }
  }

  /** Kills the bridge's process. The next insert starts another bridge. */
  kill(): void {
    const pid = this.#open?.transport.pid;
    if (pid) process.kill(pid, 'SIGKILL');
    this.#open = undefined;
  }

  async close(): Promise<void> {
    await this.#open?.client.close();
  }

  /** An answer with the number of inserted rows names each other row by its index in the call. */
  #settle(ordinals: number[], text: string): string | undefined {
    if (!/\d+ inserted/.test(text)) {
      for (const ordinal of ordinals) this.unknown.add(ordinal);
      return text;
    }
    const named = new Map<number, string>();
    for (const [, ranges, status] of text.matchAll(/^rows? ([\d, -]+) (failed|unknown|skipped): /gm)) {
      for (const range of ranges!.split(', ')) {
        const [first, last = first] = range.split('-').map(Number);
        for (let index = first!; index <= last!; index++) named.set(index, status!);
      }
    }
    for (const [index, ordinal] of ordinals.entries()) {
      const status = named.get(index);
      if (status === undefined) this.applied.add(ordinal);
      else if (status === 'unknown') this.unknown.add(ordinal);
    }
    return named.size > 0 ? text : undefined;
  }

  async #client(): Promise<Client> {
    if (this.#open) return this.#open.client;
    const client = new Client({ name: 'killed', version: '1' });
    const env = { HOME: this.#home, TRESTLE_HOME: this.#home, PATH: process.env.PATH ?? '' };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bridgeFile],
      env,
      stderr: 'ignore',
    });
    await client.connect(transport);
    this.#open = { client, transport };
    return client;
  }
}
