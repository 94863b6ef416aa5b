import { randomBytes, randomUUID } from 'node:crypto';

/**
 * Makes the two ids of a question. A short id is typed at a terminal. It is never used twice while the app runs:
 * otherwise a user who types the id of a closed question could answer another one.
 */
export function createQuestionIds(): () => { id: string; shortId: string } {
  const used = new Set<string>();
  return () => {
    // Longer ids once many are used. Random ids would soon repeat.
    const digits = used.size < 4_096 ? 4 : 8;
    let shortId: string;
    do shortId = randomBytes(digits / 2).toString('hex');
    while (used.has(shortId));
    used.add(shortId);
    return { id: randomUUID(), shortId };
  };
}
