import { startVectorNode } from '@trestle/vector-node';
import { onTestFinished, test } from 'vitest';
import { proveBridgeSaves } from './bridge-row-saves.ts';

test('1,000 rows through the bridge, interrupted in the middle: each row that is not known to be stored is named', async () => {
  const node = await startVectorNode({ seed: false });
  onTestFinished(() => node.stop());
  await proveBridgeSaves(node.port);
});
