import { startVectorNode } from '@trestle/vector-node';
import { onTestFinished, test } from 'vitest';
import { proveSettled } from './interrupted-saves.ts';

test('rows in flight when the driver or the app ended are settled by reading them', async () => {
  const node = await startVectorNode({ seed: false });
  onTestFinished(() => node.stop());
  await proveSettled(node.port);
});
