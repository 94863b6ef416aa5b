import { onTestFinished } from 'vitest';
import { startVectorNode, type VectorNode } from '../vector-node.ts';
import type { VectorNodeOptions } from '../vector-node-options.ts';

export interface Answer {
  status: number;
  /** The parsed JSON, or an empty text. */
  body: unknown;
}

export interface RunningNode extends VectorNode {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  graphql(query: string): Promise<{ data?: Record<string, never>; errors?: { message: string }[] }>;
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
    return { status: response.status, body: text === '' ? '' : JSON.parse(text) };
  };
  return {
    ...node,
    ask,
    graphql: async (query) => (await ask('POST', '/graphql', { query })).body as never,
  };
}
