import { test } from 'vitest';
import { proveNeighbours } from '../faults/neighbours.ts';
import { describeOnWeaviate } from './servers.ts';

const rounds = Number(process.env.TRESTLE_RESETS ?? 20);

describeOnWeaviate('a broken read', ({ port }) => {
  test('does not disturb other reads, saves and exports', { timeout: 120_000 + rounds * 1_000 }, () =>
    proveNeighbours(port, rounds),
  );
});
