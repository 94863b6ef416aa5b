import { test } from 'vitest';
import { proveSettled } from '../faults/interrupted-saves.ts';
import { describeOnWeaviate } from './servers.ts';

describeOnWeaviate('interrupted saves', ({ port }) => {
  test('rows that were being saved when the driver or the app ended are settled by reading them', () =>
    proveSettled(port));
});
