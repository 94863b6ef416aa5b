import { test } from 'vitest';
import { proveSettled } from '../faults/interrupted-saves.ts';
import { describeOnWeaviate } from './servers.ts';

describeOnWeaviate('interrupted saves', ({ port }) => {
  test('rows under way when the driver or the app ended are settled by a look at them', () =>
    proveSettled(port));
});
