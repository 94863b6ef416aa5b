import { test } from 'vitest';
import { proveNetworkFaults } from '../faults/network-faults.ts';
import { describeOnWeaviate } from './servers.ts';

const rounds = Number(process.env.TRESTLE_NETWORK_ROUNDS ?? 1);

describeOnWeaviate('network faults', ({ port }) => {
  test(
    'a bad answer gives the expected error, a slow answer gives the right rows, and the next call works',
    {
      timeout: 120_000 + rounds * 60_000,
    },
    () => proveNetworkFaults(port, rounds),
  );
});
