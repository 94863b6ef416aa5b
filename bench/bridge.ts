import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { handshakePath, mcpPath, modernProtocolVersion, readHandshake } from '@trestle/handshake';
import { type Benchmark, type Figure, inTurns, timed } from './measure.ts';
import { dist, environment, post, withApp, withHome } from './trestle.ts';

/** The bridge's start beside that of an empty program, and what it adds to a call. */
export const bridge: Benchmark = {
  name: 'bridge',
  run: () => withHome((home) => withApp(home, async () => [await coldStart(home), await perCall(home)])),
};

async function coldStart(home: string): Promise<Figure> {
  const taken = await inTurns(
    { rounds: 20, warmUp: 3 },
    {
      bridge: async () => {
        const started = performance.now();
        const client = openBridge(home);
        await client.ask('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'bench', version: '1' },
        });
        await client.ask('tools/list', {});
        const ready = performance.now() - started;
        await client.end();
        return ready;
      },
      node: () => timed(() => once(spawn(process.execPath, ['-e', '0']), 'exit')),
    },
  );
  return {
    name: 'bridge cold start to tools/list',
    unit: 'ms',
    subject: taken.bridge,
    baseline: taken.node,
    against: 'node -e 0',
    goal: { of: 'ratio', most: 1.6 },
  };
}

async function perCall(home: string): Promise<Figure> {
  const client = openBridge(home);
  const direct = openDirect(home);
  const params = {
    name: 'list_connections',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': modernProtocolVersion,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const taken = await inTurns(
    { rounds: 600, warmUp: 200 },
    {
      bridge: () => timed(() => client.ask('tools/call', params)),
      direct: () => timed(() => direct.ask('tools/call', params)),
    },
  );
  direct.close();
  await client.end();
  return {
    name: 'list_connections through the bridge',
    unit: 'ms',
    subject: taken.bridge,
    baseline: taken.direct,
    against: 'the same over HTTP',
    goal: { of: 'difference', most: 0.25 },
  };
}

interface Answer {
  id?: unknown;
  result?: { isError?: boolean };
}

function openBridge(home: string) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [join(dist, 'trestle-mcp.js')], {
    env: environment(home),
  });
  const waiting = new Map<unknown, (answer: Answer) => void>();
  let count = 0;
  createInterface(child.stdout).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  return {
    async ask(method: string, params: object): Promise<void> {
      const id = ++count;
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      expectResult(await answer);
    },
    async end(): Promise<void> {
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}

/** What a client that speaks HTTP itself does: the same message on a connection it keeps. */
function openDirect(home: string) {
  const reading = readHandshake(handshakePath(home));
  if (!reading.trusted || reading.handshake.state !== 'running')
    throw new Error('The MCP server does not run');
  const { port, token } = reading.handshake;
  const url = new URL(mcpPath, `http://127.0.0.1:${port}`);
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  return {
    async ask(method: string, params: { name: string }): Promise<void> {
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }));
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': modernProtocolVersion,
        'mcp-method': method,
        'mcp-name': params.name,
      };
      const text = (await post(url, { agent, headers, body })).toString();
      const json = text.startsWith('{') ? text : /^data: (\{.*"result".*)$/m.exec(text)?.[1];
      expectResult(JSON.parse(json ?? '{}') as Answer);
    },
    close: () => agent.destroy(),
  };
}

function expectResult(answer: Answer): void {
  if (!answer.result || answer.result.isError) throw new Error(`No result: ${JSON.stringify(answer)}`);
}
