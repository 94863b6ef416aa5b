import type { Json, RunOutcome } from '@trestle/driver-kit';

/**
 * What went wrong with a query that brought nothing but errors: to the protocol of the database it was a success, to
 * whoever sent it a failure. Null where there is an answer.
 */
export function unanswered({ results, messages }: Pick<RunOutcome, 'results' | 'messages'>): string | null {
  const errors = messages.filter(({ level }) => level === 'error').map(({ text }) => text);
  const isEmpty = results.every((result) => result.kind === 'document' && isNothing(result.document));
  return errors.length > 0 && isEmpty ? errors.join('; ') : null;
}

function isNothing(document: Json): boolean {
  if (document === null) return true;
  return typeof document === 'object' && !Array.isArray(document) && Object.values(document).every(isNothing);
}
