import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

/**
 * The browser's control channel over two pipes. Other processes could reach a port, but not these pipes. Hand-written:
 * playwright-core would be a large dependency for eight commands.
 */
export interface DevtoolsPipe {
  send(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>;
  on(method: string, listener: (params: Record<string, unknown>) => void): void;
}

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

export function openDevtoolsPipe(toBrowser: Writable, fromBrowser: Readable): DevtoolsPipe {
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  const listeners = new Map<string, (params: Record<string, unknown>) => void>();
  let nextId = 1;
  let isGone = false;

  const gone = () => {
    isGone = true;
    for (const one of waiting.values()) one.reject(new Error('The browser has ended'));
    waiting.clear();
  };
  toBrowser.on('error', gone);
  fromBrowser.on('error', gone).on('close', gone);
  readMessages(fromBrowser, (text) => {
    const parsed = message.safeParse(JSON.parse(text));
    if (!parsed.success) return;
    const { id, method, params, result, error } = parsed.data;
    if (method) listeners.get(method)?.(params ?? {});
    if (id === undefined) return;
    const one = waiting.get(id);
    waiting.delete(id);
    if (error) one?.reject(new Error(error.message));
    else one?.resolve(result ?? {});
  });

  return {
    send(method, params = {}, sessionId) {
      // Nobody would answer, and the caller would wait for ever.
      if (isGone) return Promise.reject(new Error('The browser has ended'));
      const id = nextId++;
      const one = Promise.withResolvers<Record<string, unknown>>();
      waiting.set(id, one);
      toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      return one.promise;
    },
    on: (method, listener) => void listeners.set(method, listener),
  };
}

function readMessages(stream: Readable, handle: (text: string) => void): void {
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      handle(rest.subarray(0, end).toString('utf8'));
      rest = rest.subarray(end + 1);
    }
  });
}
