import { startVectorNode } from '@trestle/vector-node';
import { onTestFinished, test } from 'vitest';
import { proveNeighbours } from './neighbours.ts';

const rounds = Number(process.env.TRESTLE_RESETS ?? 20);

test('a read whose socket breaks does not disturb other reads, saves or exports', {
  timeout: 120_000 + rounds * 1_000,
}, async () => {
  const node = await startVectorNode();
  onTestFinished(() => node.stop());
  await proveNeighbours(node.port, rounds);
});
