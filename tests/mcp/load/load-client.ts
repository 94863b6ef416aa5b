import { type Answer, post, postModern } from '../../../packages/mcp-server/src/testing/post.ts';
import { type ReadAnswer, readAnswer, textOf } from '../read-answer.ts';

/** How a client sends a request: with protocol 2026-07-28, or in an MCP session of the older protocol. */
export type Ask = (method: string, params: Record<string, unknown>, token: string) => Promise<Answer>;

export function modernAsk(port: number): Ask {
  return (method, params, token) =>
    withSeat(() =>
      postModern(port, method, params, {
        ...headersFor(token),
        ...(typeof params.uri === 'string' && { 'Mcp-Name': params.uri }),
      }),
    );
}

/** Among a hundred new sockets, one may lose its seat before its token is read. A client then retries. */
async function withSeat(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
      if (code !== 'ECONNRESET' || attempt === 5) throw error;
    }
  }
}

export function legacyAsk(port: number): Ask {
  let session: string | undefined;
  let count = 1;
  return async (method, params, token) => {
    const authorization = headersFor(token);
    if (session === undefined) {
      const opened = await withSeat(() => post(port, initialize, authorization));
      if (opened.status !== 200) return opened;
      session = opened.headers.get('mcp-session-id') ?? undefined;
    }
    const headers = {
      ...authorization,
      'Mcp-Session-Id': session ?? '',
      'MCP-Protocol-Version': '2025-11-25',
    };
    const message = { jsonrpc: '2.0', id: ++count, method, params };
    const answer = await withSeat(() => post(port, message, headers));
    // The MCP session was evicted, or belonged to the previous token.
    if (answer.status === 404) session = undefined;
    return answer;
  };
}

/** Each request has its own socket. A kept socket would look like one that the server leaks. */
function headersFor(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}`, Connection: 'close' };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'load', version: '1' } },
};

/** The result of one call: right, refused for a reason that the test caused, or wrong. */
export type Verdict = 'right' | 'limited' | 'rotated' | 'dropped' | { wrong: string };

export function judge(answer: Answer, isRight: (result: Record<string, unknown>) => boolean): Verdict {
  const { status, message } = answer;
  const code = message.error?.code;
  if (status === 429 && code === -33010 && answer.headers.get('retry-after')) return 'limited';
  if (status === 401 && code === -33009) return 'rotated';
  if (status === 404 && code === -33001) return 'rotated';
  const [content] = (message.result?.content ?? []) as { text?: string }[];
  if (message.result?.isError) {
    const text = content?.text ?? '';
    return /^(not_connected|user_cancelled): /.test(text) ? 'dropped' : { wrong: text };
  }
  // For a resource or a prompt, the server reports a dropped connection as a JSON-RPC error.
  if (code === -33002 || (code === -33000 && !message.error?.message.startsWith('Trestle failed')))
    return 'dropped';
  if (message.result && isRight(message.result)) return 'right';
  return { wrong: JSON.stringify({ status, ...message }).slice(0, 500) };
}

interface Mix {
  method: string;
  params: Record<string, unknown>;
  isRight(result: Record<string, unknown>): boolean;
}

/** One of a client's calls, with a check of its answer. */
export function nextCall(number: number, connections: string[]): Mix {
  const connection_id = connections[number % connections.length] ?? '';
  const mixes: (() => Mix)[] = [
    () => queryFor(connection_id, `SELECT ${number} AS n`, number),
    () => tool('list_connections', {}, ({ rows }) => rows.length >= 3),
    () =>
      tool(
        'browse_table',
        {
          connection_id,
          table: 'planets',
          filters: [{ column: 'moons', operator: 'equals', value: number % 3 }],
        },
        ({ rows }) => rows.length === [2, 1, 1][number % 3],
      ),
    () =>
      tool(
        'browse_table',
        { connection_id, table: 'planets', count_only: true },
        ({ notes }) => notes === '4 rows',
      ),
    () =>
      tool(
        'describe_table',
        { connection_id, table: 'planets' },
        ({ lines }) => lines[0]?.startsWith('planets ') ?? false,
      ),
    () => ({
      method: 'resources/read',
      params: { uri: `trestle://connections/${connection_id}/tables` },
      isRight: (result) => JSON.stringify(result).includes('planets'),
    }),
    () => ({ method: 'tools/list', params: {}, isRight: ({ tools }) => (tools as unknown[]).length === 14 }),
    () => ({
      method: 'prompts/get',
      params: { name: 'explain_table', arguments: { connection_id, table: 'planets' } },
      isRight: (result) => JSON.stringify(result).includes('moons'),
    }),
  ];
  return (mixes[number % mixes.length] as () => Mix)();
}

/** A query that keeps the driver busy for a while. */
export function slowCall(connection: string): Mix {
  const steps = 200_000;
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${steps})`;
  return queryFor(connection, `${numbers} SELECT count(*) FROM n`, steps);
}

function queryFor(connection_id: string, query: string, value: number): Mix {
  return tool('execute_query', { connection_id, query }, ({ rows }) => rows[0]?.[0] === String(value));
}

function tool(name: string, args: object, isRight: (answer: ReadAnswer) => boolean): Mix {
  return {
    method: 'tools/call',
    params: { name, arguments: args },
    isRight: (result) => isRight(readAnswer(textOf(result))),
  };
}
