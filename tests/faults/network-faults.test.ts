import { startVectorNode } from '@trestle/vector-node';
import { onTestFinished, test } from 'vitest';
import { proveNetworkFaults } from './network-faults.ts';

const rounds = Number(process.env.TRESTLE_NETWORK_ROUNDS ?? 1);

test('a bad answer gives the expected error, a slow answer gives the right rows, and the next call works', {
  timeout: 120_000 + rounds * 60_000,
}, async () => {
  const node = await startVectorNode({ seed: false });
  onTestFinished(() => node.stop());
  await proveNetworkFaults(node.port, rounds);
});
