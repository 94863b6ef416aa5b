import {
  answerLeftOut,
  answerTooLarge,
  cutCells,
  maxAnswerBytes,
  type Page,
  type RowSet,
  type RunOutcome,
  weigh,
} from '@trestle/driver-kit';
import type { CallMethod } from './protocol.ts';

/**
 * Cuts large cells of an answer, and refuses an answer that is too large, before it is sent to the app. If a
 * statement has changed data, a message replaces the answer: after an error, the caller might run the statement again.
 */
export function fitAnswer(method: CallMethod, value: unknown): unknown {
  for (const rows of rowSetsOf(method, value)) cutCells(rows);
  if (weigh(value, maxAnswerBytes) <= maxAnswerBytes) return value;
  const { effect, written } = method === 'run' ? (value as RunOutcome) : { effect: 'read' as const };
  if (effect === 'read') throw answerTooLarge();
  const short: RunOutcome = { effect, results: [], messages: [answerLeftOut()] };
  return { ...short, ...(written && { written }) };
}

function rowSetsOf(method: CallMethod, value: unknown): RowSet[] {
  switch (method) {
    case 'browse':
    case 'search':
      return [(value as Page).rows];
    case 'readCells':
      return [value as RowSet];
    case 'run':
      return (value as RunOutcome).results.flatMap((result) => (result.kind === 'rows' ? [result.rows] : []));
    default:
      return [];
  }
}
