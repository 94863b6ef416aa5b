import { test } from 'vitest';
import { proveBridgeSaves } from '../mcp/bridge-row-saves.ts';
import { describeOnWeaviate } from './servers.ts';

describeOnWeaviate('rows through the bridge', ({ port }) => {
  test('if an insert of 1,000 rows fails in the middle, the answer names each row that is not known to be stored', () =>
    proveBridgeSaves(port));
});
