import { bridgeProcessHeader } from '@trestle/handshake';
import type { TextAnswer } from './send.ts';

/**
 * Answers that are the same for everybody until the app is updated, kept as text: a list of tools has some 40 kB,
 * and composing it takes longer than all the rest. One is found again by everything that the protocol layer looks
 * at, headers included, so that a message it refuses never gets the answer to one that it took.
 */
export class FixedAnswers {
  readonly #kept = new Map<string, TextAnswer>();

  find(asked: FixedRequest): TextAnswer | undefined {
    const kept = this.#kept.get(asked.key);
    return kept && { ...kept, text: beginning + kept.text + ending(asked.id) };
  }

  keep(asked: FixedRequest, answer: TextAnswer): void {
    const { status, text } = answer;
    const end = ending(asked.id);
    if (status !== 200 || !text.startsWith(beginning) || !text.endsWith(end)) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= maxKept) this.#kept.delete(oldest);
    this.#kept.set(asked.key, { ...answer, text: text.slice(beginning.length, -end.length) });
  }
}

export interface FixedRequest {
  key: string;
  id: string | number;
}

/** Undefined for a message whose answer may be another each time. */
export function readFixedRequest(rawHeaders: string[], body: unknown): FixedRequest | undefined {
  const { id, ...rest } = (body ?? {}) as { id?: unknown; method?: unknown };
  if (typeof rest.method !== 'string' || !fixedMethods.has(rest.method)) return undefined;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!otherHeaders.has(name)) headers.push(name, rawHeaders[index + 1] ?? '');
  }
  const key = JSON.stringify([headers, rest]);
  return key.length <= maxKeyLength ? { key, id: id as string | number } : undefined;
}

const maxKept = 32;
const maxKeyLength = 4_000;
const fixedMethods = new Set(['server/discover', 'tools/list', 'prompts/list', 'resources/templates/list']);
/** Who asks and how long the message is. */
const otherHeaders = new Set(['authorization', 'content-length', bridgeProcessHeader.toLowerCase()]);

const beginning = '{"result":';

function ending(id: string | number): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
