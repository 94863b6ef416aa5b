import { test } from 'vitest';
import { proveBridgeSaves } from '../mcp/bridge-row-saves.ts';
import { describeOnWeaviate } from './servers.ts';

describeOnWeaviate('rows through the bridge', ({ port }) => {
  test('1,000 rows, interrupted in the middle: each row that is not known to be stored is named', () =>
    proveBridgeSaves(port));
});
