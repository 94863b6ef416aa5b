import type { Core } from '@trestle/core';
import { expect, test, vi } from 'vitest';
import { runOperation } from './core-operations.ts';

test.each([
  ['plugins.search', null],
  ['plugins.install', 'notes'],
] as const)('%s reads the index of the registry again, even if it is recent', async (name, input) => {
  const refresh = vi.fn(async () => {});
  const manifest = { id: 'notes', name: 'Notes', version: '0.2.0', summary: '' };
  const drivers = {
    refresh,
    registry: () => ({ problem: null }),
    listed: () => [],
    install: async () => ({ manifest, bundled: false, integrity: null, publisher: null }),
  };
  const core = { drivers, administer: () => ({}) } as unknown as Core;
  const { signal } = new AbortController();
  await runOperation(core, name, input, { passphrase: null, signal, resetSample: async () => {} });
  expect(refresh.mock.calls).toEqual([[{ signal, force: true }]]);
});
