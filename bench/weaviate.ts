import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DriverLink, openDriverLink } from '@trestle/driver-host';
import { manifestSchema } from '@trestle/driver-kit/manifest';
import { Agent, request } from 'undici';
import manifest from '../drivers/weaviate/manifest.json' with { type: 'json' };
import type { WeaviateServer } from '../scripts/weaviate/server.ts';
import { goals } from './goals.ts';
import { type Benchmark, type Figure, inTurns, timed } from './measure.ts';
import { needProc } from './process-memory.ts';
import { dist, withHome } from './trestle.ts';
import { dimensions, withoutVectors, withVectors, withWeaviate } from './weaviate-server.ts';

const { signal } = new AbortController();
const page = { filters: [], match: 'all' as const, sort: [], limit: 1_000, offset: 0 };
const raw = 'raw undici request';

/** Pages and exports of a real Weaviate through the driver host, compared with bare requests for the same data. */
export const weaviate: Benchmark = {
  name: 'weaviate',
  async run() {
    needProc();
    return withWeaviate((server) =>
      withHome(async (home) => {
        const agent = new Agent();
        const folder = await unpackDriver(home);
        const open = () => openLink(folder, server.port);
        const link = await open();
        try {
          const bare = (path: string) => askBare(agent, server, path);
          return [...(await pages(link, bare)), ...(await exports(open, bare))];
        } finally {
          await link.close();
          await agent.close();
        }
      }),
    );
  },
};

type Bare = (path: string) => Promise<{ objects: { id: string; vector?: number[] }[] }>;

async function pages({ session }: DriverLink, bare: Bare): Promise<Figure[]> {
  const plain = { ...page, table: withoutVectors.name };
  const columns = ['uuid', 'title', 'note', 'pages', 'price', 'vector'];
  const whole = { ...page, table: withVectors.name, columns };
  const taken = await inTurns(
    { rounds: 30, warmUp: 10 },
    {
      plain: () => timed(async () => expectRows((await session.browse(plain, { signal })).rows.rowCount)),
      plainRaw: () =>
        timed(async () => expectRows((await bare(`${of(plain.table)}&limit=1000`)).objects.length)),
    },
  );
  const vectors = await inTurns(
    { rounds: 15, warmUp: 5 },
    {
      whole: () =>
        timed(async () => {
          const { rows } = await session.browse(whole, { signal });
          expectRows(rows.rowCount);
          const last = rows.values.at(-1);
          if (last?.kind !== 'vectors') throw new Error('The page came without its vectors');
        }),
      wholeRaw: () =>
        timed(async () => {
          const { objects } = await bare(`${of(whole.table)}&limit=1000&include=vector`);
          if (objects.at(-1)?.vector?.length !== dimensions)
            throw new Error('The raw page came without vectors');
        }),
    },
  );
  return [
    {
      name: '1,000-row page without vectors',
      unit: 'ms',
      subject: taken.plain,
      baseline: taken.plainRaw,
      against: raw,
      goal: goals.plainPage,
    },
    {
      name: '1,000-row page with 1,536-number vectors',
      unit: 'ms',
      subject: vectors.whole,
      baseline: vectors.wholeRaw,
      against: raw,
      goal: goals.vectorPage,
    },
  ];
}

/** The goal is 90 % of the baseline's throughput, so 1/0.9 of the baseline's time. */
async function exports(open: () => Promise<DriverLink>, bare: Bare): Promise<Figure[]> {
  const held: number[] = [];
  const bareHeld: number[] = [];
  const link = await open();
  try {
    const request = { table: withoutVectors.name, filters: [], match: 'all' as const, sort: [] };
    const exportAll = async () => {
      let count = 0;
      for await (const rows of link.session.exportRows!(request, { signal })) count += rows.rowCount;
      expectRows(count, withoutVectors.count);
      held.push(peakOf(link.pid ?? 0));
      bareHeld.push(peakOf(process.pid));
    };
    const loop = async () => {
      let count = 0;
      for (let after = ''; ; ) {
        const { objects } = await bare(`${of(withoutVectors.name)}&limit=1000&after=${after}`);
        count += objects.length;
        if (objects.length < 1_000) break;
        after = objects.at(-1)?.id ?? '';
      }
      expectRows(count, withoutVectors.count);
    };
    const taken = await inTurns(
      { rounds: 7, warmUp: 2 },
      { exported: () => timed(exportAll), bare: () => timed(loop) },
    );
    return [
      {
        name: `export of ${withoutVectors.count.toLocaleString('en')} objects`,
        unit: 'ms',
        subject: taken.exported,
        baseline: taken.bare,
        against: 'bare cursor loop',
        goal: goals.export,
      },
      {
        name: 'export, most that the driver host held',
        unit: 'MB',
        subject: held,
        baseline: bareHeld,
        against: 'this process',
        goal: goals.exportMemory,
      },
    ];
  } finally {
    await link.close();
  }
}

async function askBare(agent: Agent, server: WeaviateServer, path: string) {
  const answer = await request(server.url + path, { dispatcher: agent });
  return JSON.parse(await answer.body.text()) as { objects: { id: string; vector?: number[] }[] };
}

function of(collection: string): string {
  return `/v1/objects?class=${collection}`;
}

export async function unpackDriver(home: string): Promise<string> {
  const folder = join(home, 'driver');
  mkdirSync(folder);
  const [plugin = ''] = globSync(join(dist, 'plugins', 'weaviate-*.tgz'));
  await promisify(execFile)('tar', ['-xzf', plugin, '-C', folder]);
  return folder;
}

export function openLink(driverDirectory: string, port: number): Promise<DriverLink> {
  return openDriverLink(
    {
      hostEntry: join(dist, 'driver-host.js'),
      driverDirectory,
      manifest: manifestSchema.parse(manifest),
      bundled: false,
      fields: { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' },
      log: () => {},
    },
    { signal, timeoutMs: 20_000 },
  );
}

/** The peak memory of a process since its start, in MB. */
function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function expectRows(count: number, wanted = page.limit): void {
  if (count !== wanted) throw new Error(`${count} rows instead of ${wanted}`);
}
