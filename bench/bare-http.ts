import { connect } from 'node:net';
import { Connection } from '../apps/bridge/src/connection.ts';
import { modernMeta, readEndpoint, requestHeaders, resultOf } from './http-client.ts';
import type { McpResult } from './stdio-client.ts';

/**
 * A client that costs next to nothing, as the one for stdio does: where servers are held against each other, what
 * `node:http` takes in the client would count as the server's.
 */
export function openBareHttp(home: string) {
  const { port, path, token } = readEndpoint(home);
  const client = openBare(port);
  return {
    async ask(method: string, params: { name?: string }): Promise<McpResult> {
      const headers = requestHeaders(token, method, params.name);
      return resultOf(await client.post(path, headers, { method, params: { ...params, _meta: modernMeta } }));
    },
    close: client.close,
  };
}

/** One connection, one request at a time. */
export function openBare(port: number) {
  const connection = new Connection(connect({ port, host: '127.0.0.1', noDelay: true }));
  let count = 0;
  return {
    async post(path: string, headers: Record<string, string>, message: object): Promise<string> {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++count, ...message });
      const length = Buffer.byteLength(body);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      let text = '';
      await connection.ask(
        `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}content-length: ${length}\r\n\r\n${body}`,
        {
          onHead: () => {},
          onText: (piece) => {
            text += piece;
          },
        },
      );
      return text;
    },
    close: () => connection.end(),
  };
}
