import { expect, test } from 'vitest';
import { revisions, runRevision } from '../conformance/revisions.ts';

test.each(Object.keys(revisions))(
  '%s: every scored scenario of the official suite passes',
  async (revision) => {
    const scored = (await runRevision(revision)).filter((result) => result.scored);
    expect(scored.length).toBeGreaterThanOrEqual(27);
    expect(scored.filter((result) => result.failed.length > 0)).toEqual([]);
  },
);
