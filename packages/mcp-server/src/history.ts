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
  const query = { connectionIds, limit: limit + 1, ...(text !== undefined && { text }) };
  const found = core.history.searchAs(caller, query);
  const entries = new AnswerBudget().takeAll(found.slice(0, limit).map(present));
  const truncated = entries.length < found.length;
  const notes = truncated ? [`There are more than these ${entries.length}; search for a longer text.`] : [];
  return { entries, truncated, notes };
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
