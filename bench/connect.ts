import { gunzipSync, gzipSync } from 'node:zlib';
import type { DriverLink } from '@trestle/driver-host';
import type { Filter } from '@trestle/driver-kit';
import {
  AggregateReplySchema,
  AggregateRequestSchema,
  type ConnectMethodName,
  connectBinary,
  connectHeaders,
  connectPath,
  create,
  Filters_Operator as FilterOperator,
  fromBinary,
  type MessageInitShape,
  SearchReplySchema,
  SearchRequestSchema,
  toBinary,
} from '@trestle/weaviate-connect';
import { Agent, request } from 'undici';
import type { WeaviateServer } from '../scripts/weaviate/server.ts';
import { goals } from './goals.ts';
import { type Benchmark, type Figure, inTurns, timed } from './measure.ts';
import { startSlowLink } from './slow-link.ts';
import { withHome } from './trestle.ts';
import { openLink, unpackDriver } from './weaviate.ts';
import { dimensions, namedVectors, withoutVectors, withWeaviate } from './weaviate-server.ts';

const { signal } = new AbortController();
const columns = ['title', 'note', 'pages', 'price'];
/** Half of the objects. */
const filters: Filter[] = [{ column: 'pages', operator: 'less_than', value: 350 }];
const where = { table: withoutVectors.name, filters, match: 'all' as const };
const bareFilter = {
  operator: FilterOperator.LESS_THAN,
  target: { target: { case: 'property' as const, value: 'pages' } },
  testValue: { case: 'valueInt' as const, value: 350n },
};
/** With one clause, the server sorts only a part of the matches. So the driver sends the clause twice. */
const twice = (one: Omit<typeof bareFilter, 'operator'> & { operator: FilterOperator }) => ({
  operator: FilterOperator.AND,
  filters: [one, one],
});
const rows = 1000;
const base = {
  collection: withoutVectors.name,
  uses127Api: true,
  limit: rows,
  metadata: { uuid: true },
  properties: { nonRefProperties: columns },
};
const uuidOrder = [{ path: ['_id'], ascending: true }];

/** Filtered and sorted pages, counts and exports over Connect, compared with the same messages sent with undici. */
export const connect: Benchmark = {
  name: 'connect',
  run: () =>
    withWeaviate((server) =>
      withHome(async (home) => {
        const folder = await unpackDriver(home);
        return [...(await near(folder, server)), ...(await far(folder, server))];
      }),
    ),
};

async function near(folder: string, server: WeaviateServer): Promise<Figure[]> {
  const agent = new Agent();
  const link = await openLink(folder, server.port);
  const ask = bareRequests(agent, server.url);
  try {
    return [
      ...(await pages(link, ask)),
      ...(await vectorPages(link, ask, (path) => listed(agent, server, path))),
      await exported(link, ask),
    ];
  } finally {
    await link.close();
    await agent.close();
  }
}

type Ask = ReturnType<typeof bareRequests>;

/** The same message as the driver's, in its binary form, and its answer as protobuf-es reads it. */
function bareRequests(agent: Agent, url: string, isCompressed = false) {
  const send = async (method: ConnectMethodName, message: Uint8Array) => {
    const answer = await request(url + connectPath(method), {
      method: 'POST',
      dispatcher: agent,
      body: Buffer.from(isCompressed ? gzipSync(message) : message),
      headers: {
        ...connectHeaders,
        'content-type': connectBinary,
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      },
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode !== 200) throw new Error(`${method}: ${answer.statusCode} ${bytes}`);
    return answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  };
  return {
    async search(message: MessageInitShape<typeof SearchRequestSchema>) {
      const bytes = await send('Search', toBinary(SearchRequestSchema, create(SearchRequestSchema, message)));
      return fromBinary(SearchReplySchema, bytes).results;
    },
    async count() {
      const { name: collection } = withoutVectors;
      const message = { collection, objectsCount: true, filters: bareFilter };
      const whole = create(AggregateRequestSchema, message);
      const bytes = await send('Aggregate', toBinary(AggregateRequestSchema, whole));
      return fromBinary(AggregateReplySchema, bytes).result;
    },
  };
}

async function pages({ session }: DriverLink, ask: Ask): Promise<Figure[]> {
  const page = { ...where, columns: ['uuid', ...columns], limit: rows, offset: 0 };
  const sorted = { ...page, filters: [], sort: [{ column: 'pages', order: 'desc' as const }] };
  const bareSort = [{ path: ['pages'], ascending: false }, ...uuidOrder];
  const taken = await inTurns(
    { rounds: 30, warmUp: 10 },
    {
      filtered: () => timed(() => session.browse({ ...page, sort: [] }, { signal })),
      filteredBare: () => timed(() => ask.search({ ...base, filters: twice(bareFilter), sortBy: uuidOrder })),
      sorted: () => timed(() => session.browse(sorted, { signal })),
      sortedBare: () => timed(() => ask.search({ ...base, sortBy: bareSort })),
      count: () => timed(() => session.count(where, { signal })),
      countBare: () => timed(() => ask.count()),
    },
  );
  const against = 'bare Connect request';
  return [
    {
      name: '1,000-row filtered page',
      unit: 'ms',
      subject: taken.filtered,
      baseline: taken.filteredBare,
      against,
      goal: goals.filteredPage,
    },
    {
      name: '1,000-row sorted page',
      unit: 'ms',
      subject: taken.sorted,
      baseline: taken.sortedBare,
      against,
      goal: goals.sortedPage,
    },
    { name: 'count with a filter', unit: 'ms', subject: taken.count, baseline: taken.countBare, against },
  ];
}

type Listed = (path: string) => Promise<{ objects: { vectors: { v: number[] } }[] }>;

async function listed(agent: Agent, server: WeaviateServer, path: string) {
  const answer = await request(server.url + path, { dispatcher: agent });
  return JSON.parse(await answer.body.text()) as Awaited<ReturnType<Listed>>;
}

async function vectorPages({ session }: DriverLink, ask: Ask, bare: Listed): Promise<Figure[]> {
  const table = namedVectors.name;
  const page = { table, match: 'all' as const, columns: ['uuid', ...columns, 'vector: v'], sort: [] };
  const all: Filter[] = [{ column: 'pages', operator: 'greater_or_equal', value: 0 }];
  const bareAll = {
    ...bareFilter,
    operator: FilterOperator.GREATER_THAN_EQUAL,
    testValue: { case: 'valueInt' as const, value: 0n },
  };
  const asked = { ...base, collection: table, metadata: { uuid: true, vectors: ['v'] } };
  const over = async (given: Filter[]) => {
    const { rows: found } = await session.browse(
      { ...page, filters: given, limit: rows, offset: 0 },
      { signal },
    );
    if (found.rowCount !== rows) throw new Error(`${found.rowCount} rows`);
  };
  const taken = await inTurns(
    { rounds: 12, warmUp: 4 },
    {
      filtered: () => timed(() => over(all)),
      filteredBare: () => timed(() => ask.search({ ...asked, filters: twice(bareAll), sortBy: uuidOrder })),
      plain: () => timed(() => over([])),
      plainBare: () => timed(() => ask.search({ ...asked, after: firstId })),
      plainRest: () => timed(() => bare(`/v1/objects?class=${table}&limit=${rows}&include=vector`)),
    },
  );
  const [unit, size] = ['ms' as const, `${dimensions.toLocaleString('en')}-number vectors`];
  return [
    {
      name: `1,000-row filtered page with named ${size}`,
      unit,
      subject: taken.filtered,
      baseline: taken.filteredBare,
      against: 'bare Connect request',
      goal: goals.namedVectorPage,
    },
    {
      name: `1,000-row page with named ${size}`,
      unit,
      subject: taken.plain,
      baseline: taken.plainBare,
      against: 'bare Connect request',
    },
    {
      name: `the same, read bare over REST and over Connect`,
      unit,
      subject: taken.plainRest,
      baseline: taken.plainBare,
      against: 'bare Connect request',
    },
  ];
}

/** Before every uuid. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** The driver's batches grow to 5,000 objects, and it reads one ahead. The loop has batches of 1,000. */
async function exported({ session }: DriverLink, ask: Ask): Promise<Figure> {
  const exportAll = async () => {
    let count = 0;
    for await (const batch of session.exportRows!({ ...where, sort: [] }, { signal }))
      count += batch.rowCount;
    return count;
  };
  const loop = async () => {
    for (let last = '', count = 0; ; ) {
      const after = {
        operator: FilterOperator.GREATER_THAN,
        target: { target: { case: 'property' as const, value: '_id' } },
        testValue: { case: 'valueText' as const, value: last },
      };
      const both = { operator: FilterOperator.AND, filters: [bareFilter, after] };
      const found = await ask.search({
        ...base,
        filters: last ? both : twice(bareFilter),
        sortBy: uuidOrder,
      });
      count += found.length;
      if (found.length < rows) return count;
      last = found.at(-1)?.metadata?.id ?? '';
    }
  };
  const counts = [await exportAll(), await loop()];
  if (counts[0] !== counts[1]) throw new Error(`An export of ${counts.join(' and ')} objects`);
  const taken = await inTurns(
    { rounds: 7, warmUp: 1 },
    { exported: () => timed(exportAll), bare: () => timed(loop) },
  );
  return {
    name: `export of the ${counts[0]!.toLocaleString('en')} objects that match a filter`,
    unit: 'ms',
    subject: taken.exported,
    baseline: taken.bare,
    against: 'bare keyset loop',
    goal: goals.filteredExport,
  };
}

/** A page over a network: 20 ms there and back, 20 Mbit/s. */
async function far(folder: string, server: WeaviateServer): Promise<Figure[]> {
  const slow = await startSlowLink(server.port, { roundTripMs: 20, bitsPerSecond: 20e6 });
  const agent = new Agent();
  const link = await openLink(folder, slow.port);
  const url = `http://127.0.0.1:${slow.port}`;
  const [plain, compressed] = [false, true].map((isCompressed) => bareRequests(agent, url, isCompressed));
  const page = { ...where, columns: ['uuid', ...columns], sort: [], offset: 0 };
  const figures: Figure[] = [];
  try {
    for (const limit of [50, 200, rows]) {
      const asked = { ...base, limit, filters: twice(bareFilter), sortBy: uuidOrder };
      const taken = await inTurns(
        { rounds: 12, warmUp: 4 },
        {
          page: () => timed(() => link.session.browse({ ...page, limit }, { signal })),
          plain: () => timed(() => plain!.search(asked)),
          compressed: () => timed(() => compressed!.search(asked)),
        },
      );
      const common = { unit: 'ms' as const, baseline: taken.plain, against: 'bare, not compressed' };
      figures.push(
        { ...common, name: `${limit}-row filtered page over 20 ms and 20 Mbit/s`, subject: taken.page },
        { ...common, name: 'the same bare, compressed', subject: taken.compressed },
      );
    }
    return figures;
  } finally {
    await link.close();
    await agent.close();
    await slow.close();
  }
}
