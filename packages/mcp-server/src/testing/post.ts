/** Sends one message to the endpoint, as a client of protocol version 2026-07-28 does. */
export async function postModern(
  port: number,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return answerOf(await sendModern(port, method, params, headers, signal));
}

/** Like `postModern`, but resolves when the response headers arrive. The call may still run then. */
export function sendModern(
  port: number,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(params._meta as object | undefined),
  };
  return send(
    port,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
      ...headers,
    },
    signal,
  );
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The last message of the answer. Empty if the answer has no body. */
  message: {
    id?: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: unknown };
  };
}

export async function post(
  port: number,
  body: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Answer> {
  return answerOf(await send(port, body, headers, signal));
}

function send(
  port: number,
  body: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer good',
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const messages = [...text.matchAll(/^data: (.+)$/gm)].map((match) => match[1] as string);
  const last = messages.at(-1) ?? text;
  return { status: response.status, headers: response.headers, message: last ? JSON.parse(last) : {} };
}
