import { expect, test } from 'vitest';
import { withRun } from './use-query-sets.ts';

const run = { at: '2026-11-16T12:00:00Z', k: 10, columns: [] };
const sample = { name: 'Sample', queries: [{ text: 'moon', right: ['a'], wrong: [] }] };
const marked = { name: 'Sample', queries: [{ text: 'moon', right: ['a', 'b'], wrong: [] }] };

test('a run is added to the set as it is now, so marks made during the run are kept', () => {
  expect(withRun(sample, undefined, run)).toEqual({ ...sample, runs: [run] });
  expect(withRun(sample, { ...marked, runs: [run] }, run)).toEqual({ ...marked, runs: [run, run] });
  expect(withRun(undefined, marked, run)).toEqual({ ...marked, runs: [run] });
});

test('a set that was deleted during its run stays deleted', () => {
  expect(withRun(undefined, undefined, run)).toBeNull();
  expect(withRun(sample, { ...sample, isDeleted: true }, run)).toBeNull();
});
