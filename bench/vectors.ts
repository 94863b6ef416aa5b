import { join } from 'node:path';
import { openDriverLink } from '@trestle/driver-host';
import { packWire, unpackWire } from '@trestle/driver-kit';
import { manifestSchema } from '@trestle/driver-kit/manifest';
import { type Benchmark, inTurns, timed } from './measure.ts';
import { dist } from './trestle.ts';
import manifest from './vector-driver/manifest.json' with { type: 'json' };

const request = { table: 'vectors', filters: [], match: 'all' as const, sort: [], limit: 1000, offset: 0 };

/** A page of 1,000 vectors with 1,536 numbers (6 MB), compared with a copy within this process. */
export const vectors: Benchmark = {
  name: 'vectors',
  async run() {
    const { signal } = new AbortController();
    const link = await openDriverLink(
      {
        hostEntry: join(dist, 'driver-host.js'),
        driverDirectory: join(import.meta.dirname, 'vector-driver'),
        manifest: manifestSchema.parse(manifest),
        bundled: false,
        fields: {},
        log: () => {},
      },
      { signal, timeoutMs: 20_000 },
    );
    try {
      const page = await link.session.browse(request, { signal });
      const taken = await inTurns(
        { rounds: 40, warmUp: 10 },
        {
          link: () => timed(() => link.session.browse(request, { signal })),
          wire: () => timed(() => unpackWire(packWire(page))),
          clone: () => timed(() => structuredClone(page)),
        },
      );
      const common = { unit: 'ms' as const, baseline: taken.clone, against: 'structuredClone' };
      return [
        { name: '1,000 × 1,536 floats through the driver host', subject: taken.link, ...common },
        { name: '1,000 × 1,536 floats packed for the window and back', subject: taken.wire, ...common },
      ];
    } finally {
      await link.close();
    }
  },
};
