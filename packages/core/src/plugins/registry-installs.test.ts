import type { RegistryEntry } from '@trestle/driver-kit/registry';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { EventHub } from '../events/events.ts';
import { JobList } from '../jobs/jobs.ts';
import { RegistryInstalls } from './registry-installs.ts';

test('late progress of a cancelled install does not replace the progress of the next install', async () => {
  const entry = { manifest: { name: 'Plugin', version: '1.0.0' }, size: 100 } as RegistryEntry;
  const began: ((received: number) => void)[] = [];
  const log = pino({ level: 'silent' });
  const events = new EventHub(log);
  const jobs = new JobList({ events, log });
  const installs = new RegistryInstalls({
    events,
    jobs,
    nameOf: () => 'Plugin',
    openConnections: () => [],
    choose: async () => entry,
    install: (_entry, { onProgress }) => {
      began.push(onProgress);
      return new Promise(() => {});
    },
  });
  const { signal } = new AbortController();
  installs.install('plugin', signal).catch(() => {});
  await expect.poll(() => began).toHaveLength(1);
  jobs.cancel('install plugin');
  void installs.install('plugin', signal);
  await expect.poll(() => began).toHaveLength(2);
  began[1]!(10);
  began[0]!(100);
  expect(jobs.list()).toMatchObject([
    {
      id: 'install plugin',
      title: 'Install Plugin',
      progress: { done: 10, total: 100 },
      isCancelling: false,
    },
  ]);
});
