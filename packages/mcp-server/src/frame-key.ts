import { bridgeProcessHeader } from '@trestle/handshake';

/**
 * What the protocol layer looks at of a message: its headers, and those parts of the body that are passed in.
 * Undefined for one that is too long or too deep.
 */
export function frameKey(rawHeaders: string[], parts: object): string | undefined {
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!otherHeaders.has(name)) headers.push(name, rawHeaders[index + 1] ?? '');
  }
  try {
    const key = JSON.stringify([headers, parts]);
    return key.length <= maxKeyLength ? key : undefined;
  } catch {
    // What can be parsed may still be nested too deeply to be written.
    return undefined;
  }
}

/** As a frame carries it: one that the protocol layer would refuse is none. */
export function readId(body: { id?: unknown }): string | number | undefined {
  const { id } = body;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : undefined;
}

/** A message of the protocol around its result, which every answer that is kept must have. */
export const answerBeginning = '{"result":';

export function answerEnding(id: string | number): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

const maxKeyLength = 4_000;
/** Who asks and how long the message is. */
const otherHeaders = new Set(['authorization', 'content-length', bridgeProcessHeader.toLowerCase()]);

/** Few clients and few tools: the oldest goes. */
export function keepAtMost<Value>(kept: Map<string, Value>, count: number): void {
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size > count) kept.delete(oldest);
}
