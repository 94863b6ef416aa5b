import type { Connection, ConnectionDraft } from '../types.ts';
import type { ValidDraft } from './validate-draft.ts';

type Kept = Pick<Connection, 'id' | 'sample' | 'createdAt' | 'updatedAt'>;

export function toConnection(
  draft: ConnectionDraft,
  { fields, secrets, word, masking, reachLimit }: ValidDraft,
  { id, sample, createdAt, updatedAt }: Kept,
  storedBefore: readonly string[],
): Connection {
  const stored = new Set(storedBefore);
  for (const [field, value] of secrets) {
    if (value === null) stored.delete(field);
    else stored.add(field);
  }
  const { driver, externalClients, aiPolicy, safeMode, color } = draft;
  const storedSecrets = [...stored];
  const name = draft.name.trim();
  return {
    id,
    name,
    driver,
    fields,
    storedSecrets,
    externalClients,
    aiPolicy,
    safeMode,
    color,
    word,
    masking,
    reachLimit,
    sample,
    createdAt,
    updatedAt,
  };
}

/** Adds the stored `word`, `masking` and `reachLimit` if the draft leaves them out. */
export function withKept(draft: ConnectionDraft, before: Connection | null): ConnectionDraft {
  return {
    ...draft,
    word: draft.word === undefined ? before?.word : draft.word,
    masking: draft.masking ?? before?.masking,
    reachLimit: draft.reachLimit ?? before?.reachLimit,
  };
}
