import { join } from 'node:path';
import { openDriverLink } from '@trestle/driver-host';
import type { Manifest } from '@trestle/driver-kit';
import { describeDriverContract } from '@trestle/driver-kit/testing';
import manifest from '../../drivers/sqlite/manifest.json' with { type: 'json' };
import { sqliteTarget } from '../../drivers/sqlite/src/testing/contract-target.ts';

const dist = join(import.meta.dirname, '../../dist');

// Another test runs this suite on the SQLite driver without a link. Here the driver must pass through the link.
describeDriverContract(
  'SQLite through the driver host',
  sqliteTarget({
    async connect(file) {
      const link = await openDriverLink(
        {
          hostEntry: join(dist, 'driver-host.js'),
          driverDirectory: join(dist, 'drivers/sqlite'),
          manifest: manifest as Manifest,
          bundled: true,
          fields: { file },
          log: () => {},
        },
        { signal: new AbortController().signal, timeoutMs: 20_000 },
      );
      return link.session;
    },
    interrupts: true,
  }),
);
