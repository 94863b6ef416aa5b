import type { ChangeOutcome } from '@trestle/driver-kit';
import { gridColumns } from './columns.ts';
import type { Collection } from './schema.ts';
import type { WriteRequest } from './write-request.ts';

/** The outcome of an update of which the server made only the requests in `done`. It names both parts. */
export function partlyStored(
  outcome: ChangeOutcome,
  requests: WriteRequest[],
  { done, collection }: { done: WriteRequest[]; collection: Collection },
): ChangeOutcome {
  const stored = columnsOf(done, collection);
  if (stored.length === 0) return outcome;
  const open = columnsOf(
    requests.filter((request) => !done.includes(request)),
    collection,
  );
  const { error, status } = outcome;
  if (!error) return { ...outcome, stored };
  const state = status === 'unknown' ? 'Not known' : 'Not stored';
  const message = `Stored: ${stored.join(', ')}. ${state}: ${open.join(', ')}. ${error.message}`;
  return { ...outcome, stored, error: { hint: 'Correct the rest, and save again.', ...error, message } };
}

function columnsOf(requests: WriteRequest[], collection: Collection): string[] {
  const set = new Set(requests.flatMap(({ sets }) => Object.keys(sets ?? {})));
  return gridColumns(collection).flatMap(({ name, source }) =>
    source.kind === 'property' && set.has(source.property.name) ? [name] : [],
  );
}
