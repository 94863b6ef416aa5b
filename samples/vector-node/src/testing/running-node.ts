import { onTestFinished } from 'vitest';
import { startVectorNode, type VectorNode } from '../vector-node.ts';
import type { VectorNodeOptions } from '../vector-node-options.ts';

export interface Answer {
  status: number;
  /** The parsed JSON, or another text. */
  body: unknown;
}

export interface RunningNode extends VectorNode {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  graphql(query: string): Promise<{ data?: Record<string, never>; errors?: { message: string }[] }>;
  /** A request over Connect, as JSON. */
  connect(method: string, body: object, headers?: Record<string, string>): Promise<Answer>;
}

/** A node for one test, stopped after it. */
export async function runningNode(options: VectorNodeOptions = {}): Promise<RunningNode> {
  const node = await startVectorNode(options);
  onTestFinished(() => node.stop());
  const ask: RunningNode['ask'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${node.url}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
  return {
    ...node,
    ask,
    connect: (method, body, headers) =>
      ask('POST', `/grpc-web/${method}`, body, { 'connect-protocol-version': '1', ...headers }),
    graphql: async (query) => (await ask('POST', '/graphql', { query })).body as never,
  };
}
