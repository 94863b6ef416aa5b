import type { Caller, Core, HistoryEntry } from '@trestle/core';
import { z } from 'zod';
import { AnswerBudget } from './answer.ts';

export const historyEntryOutput = z.object({
  connection_id: z.string(),
  query: z.string(),
  effect: z.enum(['read', 'write', 'destroy']).nullable(),
  outcome: z.enum(['ok', 'error', 'cancelled']),
  error: z.string().optional(),
  rows: z.number().nullable(),
  duration_ms: z.number(),
  at: z.string(),
  by: z.enum(['user', 'client']),
});

export interface HistoryRequest {
  caller: Caller;
  /** Those the caller was admitted to; the history itself asks nobody. */
  connectionIds: string[];
  text?: string | undefined;
  limit: number;
}

/** Statements as a client may read them: newest first, as many as fit. */
export function readHistory(core: Core, { caller, connectionIds, text, limit }: HistoryRequest) {
  const found = core.history
    .search({ connectionIds, limit: maxSearched, ...(text !== undefined && { text }) })
    .filter((entry) => mayRead(core, caller, entry));
  const entries = new AnswerBudget().takeAll(found.slice(0, limit).map(present));
  const truncated = entries.length < found.length;
  const notes = truncated ? [`There are more than these ${entries.length}; search for a longer text.`] : [];
  return { entries, truncated, notes };
}

const maxSearched = 1_001;

/** Another's statement may hold in the clear what is masked for clients; their own they know already. */
function mayRead(core: Core, caller: Caller, entry: HistoryEntry): boolean {
  if (caller.kind === 'person' || entry.caller === caller.token.name) return true;
  const masking = core.connections.get(entry.connectionId)?.masking;
  return !masking || (masking.columns.length === 0 && masking.patterns.length === 0);
}

function present(entry: HistoryEntry): z.input<typeof historyEntryOutput> {
  return {
    connection_id: entry.connectionId,
    query: entry.text,
    effect: entry.effect,
    outcome: entry.outcome,
    ...(entry.error !== null && { error: entry.error }),
    rows: entry.rows,
    duration_ms: entry.durationMs,
    at: entry.at,
    by: entry.caller === 'person' ? 'user' : 'client',
  };
}
