import { startVectorNode } from '@trestle/vector-node';
import { onTestFinished, test } from 'vitest';
import { proveSettled } from './interrupted-saves.ts';

test('after a kill of the driver or the app, an interrupted save is settled by reading its rows', async () => {
  const node = await startVectorNode({ seed: false });
  onTestFinished(() => node.stop());
  await proveSettled(node.port);
});
