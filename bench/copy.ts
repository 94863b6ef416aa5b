import { Agent, request } from 'undici';
import type { WeaviateServer } from '../scripts/weaviate/server.ts';
import { goals } from './goals.ts';
import { type Benchmark, inTurns, timed } from './measure.ts';
import { batch, dropTable, freshTable, makeRow, sendBatches, withCluster } from './own-cluster.ts';
import { ask } from './trestle.ts';

const count = Number(process.env.TRESTLE_BENCH_ROWS ?? 100_000);
const rounds = Number(process.env.TRESTLE_BENCH_ROUNDS ?? 3);
const dimensions = 64;
/** Objects per page of the bare copy. The driver chooses its page size by the size of the objects. */
const page = 1000;

/**
 * A copy by the command line in a real Weaviate, compared with reading the same objects and storing them
 * with undici.
 */
export const copying: Benchmark = {
  name: 'copy',
  run: () =>
    withCluster(async ({ server, home }) => {
      const agent = new Agent({ connections: batch.underWay + 1 });
      const source = await freshTable(server);
      await sendBatches(agent, server, sourceBodies(source));
      const taken = await inTurns(
        { rounds, warmUp: 0 },
        {
          bare: async () => {
            const table = await freshTable(server);
            const ms = await timed(() => copyBare(agent, server, { source, table }));
            await dropTable(server, table);
            return ms;
          },
          copied: async () => {
            const table = `${source}Copy`;
            const ms = await timed(async () => {
              const report = (await ask(home, 'copy', 'Cluster', source, table)) as { copied: number };
              if (report.copied !== count) throw new Error(`${report.copied} copied`);
            });
            await dropTable(server, table);
            return ms;
          },
        },
      );
      await agent.close();
      return [
        {
          name: `copy of ${count.toLocaleString('en')} objects by the command line`,
          unit: 'ms' as const,
          subject: taken.copied,
          baseline: taken.bare,
          against: `pages of ${page} read, batches of ${batch.rows} sent`,
          goal: goals.copy,
        },
      ];
    }),
};

function* sourceBodies(table: string): Generator<string> {
  for (let first = 0; first < count; first += batch.rows) {
    const objects = Array.from({ length: Math.min(batch.rows, count - first) }, (_, at) => ({
      class: table,
      ...makeRow(first + at),
      vector: Array.from({ length: dimensions }, () => Math.fround(Math.random() - 0.5)),
    }));
    yield JSON.stringify({ objects });
  }
}

/** A page is read while the one before it is written. */
async function copyBare(
  agent: Agent,
  server: WeaviateServer,
  { source, table }: { source: string; table: string },
): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let copied = 0;
  for (let after = ''; ; ) {
    const path = `/v1/objects?class=${source}&limit=${page}&after=${after}&include=vector`;
    const answer = await request(server.url + path, { dispatcher: agent });
    const { objects } = (await answer.body.json()) as { objects: ReadObject[] };
    await writing;
    if (objects.length === 0) break;
    copied += objects.length;
    after = objects.at(-1)!.id;
    writing = sendBatches(agent, server, bodiesOf(objects, table));
  }
  if (copied !== count) throw new Error(`${copied} copied without Trestle`);
}

interface ReadObject {
  id: string;
  properties: Record<string, unknown>;
  vector: number[];
}

function* bodiesOf(read: ReadObject[], table: string): Generator<string> {
  for (let first = 0; first < read.length; first += batch.rows) {
    const objects = read
      .slice(first, first + batch.rows)
      .map(({ id, properties, vector }) => ({ class: table, id, properties, vector }));
    yield JSON.stringify({ objects });
  }
}
