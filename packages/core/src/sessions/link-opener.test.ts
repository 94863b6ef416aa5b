import type { Manifest } from '@trestle/driver-kit';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { DriverCatalog } from '../plugins/installed-driver.ts';
import { fixtureManifest } from '../testing/fixture-driver.ts';
import { temporaryFolder } from '../testing/test-core.ts';
import { linkOpener } from './link-opener.ts';

test('if the driver is replaced while its secrets are read, the fields of the new one are read', async () => {
  const home = temporaryFolder();
  const driver = (secret: string) => ({
    manifest: {
      ...fixtureManifest,
      fields: [{ id: secret, label: secret, type: 'secret' }],
    } as Manifest,
    directory: home,
    bundled: false,
    integrity: null,
    publisher: null,
  });
  let installed = driver('password');
  const secrets: string[][] = [];
  const opener = linkOpener({
    home,
    hostEntry: `${home}/no-host.js`,
    drivers: {
      isReady: () => true,
      isRemoved: () => false,
      installed: () => installed,
    } as unknown as DriverCatalog,
    driverId: 'fixture',
    fields: {},
    async secretOf({ id }) {
      if (id === 'password') installed = driver('key');
      return `the ${id}`;
    },
    log: pino({ level: 'silent' }),
  });
  const opening = opener.open({
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    onInstalling: () => {},
    onSecrets: (values) => secrets.push(values),
    onExit: () => {},
  });
  await expect(opening).rejects.toThrow();
  expect(secrets).toEqual([['the key']]);
});
