import { test } from 'vitest';
import { proveSettled } from '../faults/interrupted-saves.ts';
import { describeOnWeaviate } from './servers.ts';

describeOnWeaviate('interrupted saves', ({ port }) => {
  test('after a kill of the driver or the app, an interrupted save is settled by reading its rows', () =>
    proveSettled(port));
});
