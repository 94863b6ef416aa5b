import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriverLink } from '@trestle/driver-host';
import type { BrowseRequest } from '@trestle/driver-kit';
import { type Benchmark, type Figure, inTurns, timed } from './measure.ts';
import { drawSizes } from './size-plot.ts';
import { grow, table, withEmptyWeaviate } from './size-world.ts';
import { root, withHome } from './trestle.ts';
import { openLink, unpackDriver } from './weaviate.ts';

/** TRESTLE_SIZES=10000,100000 leaves out the million, which takes longest. */
const sizes = (process.env.TRESTLE_SIZES ?? '10000,100000,1000000').split(',').map(Number);
const { signal } = new AbortController();
const whole = { table, filters: [], match: 'all' as const, sort: [] };
const page: BrowseRequest = { ...whole, limit: 200, offset: 0 };
/** A hundredth of the objects match this filter. */
const filtered: BrowseRequest = { ...page, filters: [{ column: 'pages', operator: 'equals', value: 7 }] };
const sampled = 5_000;

/**
 * Measures pages, counts, map samples and exports of 10,000, 100,000 and a million objects through the driver host.
 * Pages and counts are compared with the same request, sent directly. Map samples and exports are compared with bare
 * requests for as many rows. Draws docs/images/size.svg.
 */
export const size: Benchmark = {
  name: 'size',
  byNameOnly: true,
  run: () =>
    withEmptyWeaviate((server) =>
      withHome(async (home) => {
        const folder = await unpackDriver(home);
        const figures: Figure[] = [];
        for (const count of sizes) {
          const ms = await timed(() => grow(server, count));
          process.stderr.write(
            `  ${count} objects are stored. Adding the new ones took ${Math.round(ms / 1000)} s\n`,
          );
          const link = await openLink(folder, server.port);
          try {
            figures.push(...(await measureAt(count, link, bareOf(server.url))));
          } finally {
            await link.close();
          }
          // The plot is drawn after each size, since the last size takes long and may be interrupted.
          writeFileSync(join(root, 'docs', 'images', 'size.svg'), drawSizes(figures));
        }
        return figures;
      }),
    ),
};

type Bare = ReturnType<typeof bareOf>;

export async function measureAt(count: number, { session }: DriverLink, bare: Bare): Promise<Figure[]> {
  const rows = async (request: BrowseRequest, wanted = request.limit) => {
    const { rowCount } = (await session.browse(request, { signal })).rows;
    if (rowCount !== wanted) throw new Error(`${rowCount} rows instead of ${wanted}`);
  };
  const few = Math.min(page.limit, count / 100);
  const where = '{path:["pages"],operator:Equal,valueInt:7}';
  const fields = 'title pages price _additional{id}';
  const cheap = {
    'first page': [() => rows(page), () => bare.list('limit=200')],
    'page at row 9,800': [() => rows({ ...page, offset: 9_800 }), () => bare.list('limit=200&offset=9800')],
    count: [
      async () => expectCount(await session.count(whole, { signal }), count),
      () => bare.graphql(`{Aggregate{${table}{meta{count}}}}`),
    ],
    'filtered page': [
      () => rows(filtered, few),
      () =>
        bare.graphql(`{Get{${table}(where:${where},sort:[{path:["_id"],order:asc}],limit:200){${fields}}}}`),
    ],
    'filtered count': [
      async () => expectCount(await session.count(filtered, { signal }), count / 100),
      () => bare.graphql(`{Aggregate{${table}(where:${where}){meta{count}}}}`),
    ],
    'sorted page': [
      () => rows({ ...page, sort: [{ column: 'price', order: 'desc' }] }),
      () =>
        bare.graphql(
          `{Get{${table}(sort:[{path:["price"],order:desc},{path:["_id"],order:asc}],limit:200){${fields}}}}`,
        ),
    ],
  } as const;
  const long = {
    'map sample': [() => sample(session), () => bare.pages(sampled / 100, 100, '&include=vector')],
    export: [() => exportAll(session, count), () => bare.export()],
  } as const;
  return [
    ...(await inPairs(cheap, count, count > 100_000 ? 5 : 9)),
    ...(await inPairs(long, count, count > 100_000 ? 1 : 3)),
  ];
}

async function inPairs(
  works: Record<string, readonly [() => Promise<unknown>, () => Promise<unknown>]>,
  count: number,
  rounds: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, [ours, bare]] of Object.entries(works)) {
    const taken = await inTurns(
      { rounds, warmUp: rounds > 1 ? 1 : 0 },
      { ours: () => timed(ours), bare: () => timed(bare) },
    );
    figures.push({
      name: `${name} of ${count.toLocaleString('en')}`,
      unit: 'ms',
      subject: taken.ours,
      baseline: taken.bare,
      against: 'the same, bare',
    });
  }
  return figures;
}

async function exportAll(session: DriverLink['session'], wanted: number): Promise<void> {
  let count = 0;
  for await (const rows of session.exportRows!(whole, { signal })) count += rows.rowCount;
  expectCount(count, wanted);
}

async function sample(session: DriverLink['session']): Promise<void> {
  const { sort: _, ...request } = whole;
  let count = 0;
  const columns = ['uuid', 'title', 'vector'];
  for await (const rows of session.sampleRows!({ ...request, columns, rows: sampled }, { signal })) {
    count += rows.rowCount;
  }
  if (count < sampled * 0.8) throw new Error(`The sample has only ${count} rows`);
}

function expectCount(count: number, wanted: number): void {
  if (count !== wanted) throw new Error(`${count} instead of ${wanted}`);
}

export function bareOf(url: string) {
  const get = async (path: string) => {
    const answer = await fetch(`${url}/v1/objects?class=${table}&${path}`);
    return (await answer.json()) as { objects: { id: string }[] };
  };
  return {
    list: get,
    async graphql(query: string) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ query });
      const answer = await fetch(`${url}/v1/graphql`, { method: 'POST', headers, body });
      const { errors } = (await answer.json()) as { errors?: unknown };
      if (errors) throw new Error(JSON.stringify(errors));
    },
    async pages(count: number, limit: number, more: string) {
      for (let at = 0; at < count; at++) {
        const start = Math.floor((at / count) * 0xffffffff)
          .toString(16)
          .padStart(8, '0');
        await get(`limit=${limit}&after=${start}-0000-0000-0000-000000000000${more}`);
      }
    },
    async export() {
      for (let after = ''; ; ) {
        const { objects } = await get(`limit=1000&after=${after}`);
        if (objects.length < 1_000) return;
        after = objects.at(-1)!.id;
      }
    },
  };
}
