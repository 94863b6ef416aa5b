import type { Json, RunOutcome } from '@trestle/driver-kit';

/**
 * The errors of a query that returned nothing else. Null if there is a result or no error. A protocol such as GraphQL
 * reports a query with only errors as a success. For the user this query is a failure.
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
