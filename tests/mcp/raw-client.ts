import { type Answer, postModern } from '../../packages/mcp-server/src/testing/post.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import type { RunningServer } from './running-server.ts';

export interface ToolOutcome extends ReadAnswer {
  text: string;
  /** The file that the text links to. */
  file: URL | undefined;
  isError: boolean;
  /** The code of a JSON-RPC error. */
  code: number | undefined;
  status: number;
}

/** A client that sends the requests of protocol 2026-07-28 itself, without an SDK. */
export function rawClient(running: RunningServer, token = running.token) {
  const ask = (method: string, params: Record<string, unknown> = {}): Promise<Answer> => {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
    if (typeof params.uri === 'string') headers['Mcp-Name'] = params.uri;
    return postModern(running.server.port, method, params, headers);
  };
  return {
    ask,
    async call(name: string, args: object = {}): Promise<ToolOutcome> {
      const { status, message } = await ask('tools/call', { name, arguments: args });
      const [first] = (message.result?.content ?? []) as { text?: string }[];
      const text = first?.text ?? message.error?.message ?? '';
      const [link] = /file:\S+/.exec(text) ?? [];
      return {
        status,
        text,
        file: link === undefined ? undefined : new URL(link),
        ...readAnswer(text),
        isError: message.result?.isError === true,
        code: message.error?.code,
      };
    },
  };
}
