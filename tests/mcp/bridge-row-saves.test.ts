import { startVectorNode } from '@trestle/vector-node';
import { onTestFinished, test } from 'vitest';
import { proveBridgeSaves } from './bridge-row-saves.ts';

test('an insert of 1,000 rows through the bridge fails in the middle: the answer names each row that is not known to be stored', async () => {
  const node = await startVectorNode({ seed: false });
  onTestFinished(() => node.stop());
  await proveBridgeSaves(node.port);
});
