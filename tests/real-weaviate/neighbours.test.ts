import { test } from 'vitest';
import { proveNeighbours } from '../faults/neighbours.ts';
import { describeOnWeaviate } from './servers.ts';

const rounds = Number(process.env.TRESTLE_RESETS ?? 20);

describeOnWeaviate('neighbours of a broken read', ({ port }) => {
  test('saves and exports continue', { timeout: 120_000 + rounds * 1_000 }, () =>
    proveNeighbours(port, rounds),
  );
});
