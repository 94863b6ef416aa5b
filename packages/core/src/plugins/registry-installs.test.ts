import type { RegistryEntry } from '@trestle/driver-kit/registry';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { EventHub } from '../events/events.ts';
import { RegistryInstalls } from './registry-installs.ts';

test('late progress of a cancelled install does not replace the progress of the next install', async () => {
  const entry = { manifest: { name: 'Plugin', version: '1.0.0' }, size: 100 } as RegistryEntry;
  const began: ((received: number) => void)[] = [];
  const installs = new RegistryInstalls({
    events: new EventHub(pino({ level: 'silent' })),
    openConnections: () => [],
    choose: async () => entry,
    install: (_entry, { onProgress }) => {
      began.push(onProgress);
      return new Promise(() => {});
    },
  });
  const { signal } = new AbortController();
  void installs.install('plugin', signal);
  await expect.poll(() => began).toHaveLength(1);
  installs.cancel('plugin');
  void installs.install('plugin', signal);
  await expect.poll(() => began).toHaveLength(2);
  began[1]!(10);
  began[0]!(100);
  expect(installs.list()).toMatchObject([{ step: 'download', received: 10 }]);
});
