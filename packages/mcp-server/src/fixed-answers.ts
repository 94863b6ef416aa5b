import { answerBeginning, answerEnding, frameKey, keepAtMost, readId } from './frame-key.ts';
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
    return kept && { ...kept, text: answerBeginning + kept.text + answerEnding(asked.id) };
  }

  keep(asked: FixedRequest, answer: TextAnswer): void {
    const { status, text } = answer;
    const end = answerEnding(asked.id);
    if (status !== 200 || !text.startsWith(answerBeginning) || !text.endsWith(end)) return;
    this.#kept.set(asked.key, { ...answer, text: text.slice(answerBeginning.length, -end.length) });
    keepAtMost(this.#kept, 32);
  }
}

export interface FixedRequest {
  key: string;
  id: string | number;
}

/** Undefined for a message whose answer may be another each time. */
export function readFixedRequest(rawHeaders: string[], body: unknown): FixedRequest | undefined {
  const { id: _, ...rest } = (body ?? {}) as { id?: unknown; method?: unknown };
  if (typeof rest.method !== 'string' || !fixedMethods.has(rest.method)) return undefined;
  const id = readId(body as object);
  const key = frameKey(rawHeaders, rest);
  return id === undefined || key === undefined ? undefined : { key, id };
}

const fixedMethods = new Set(['server/discover', 'tools/list', 'prompts/list', 'resources/templates/list']);
