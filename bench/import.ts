import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { cachedServer } from '../scripts/weaviate/cache.ts';
import { startWeaviate, type WeaviateServer } from '../scripts/weaviate/server.ts';
import { newestWeaviate } from '../scripts/weaviate/versions.ts';
import { type Benchmark, inTurns, Skipped, timed } from './measure.ts';
import { ask, withApp, withHome } from './trestle.ts';

const count = Number(process.env.TRESTLE_BENCH_ROWS ?? 100_000);
/** The same sizes as in the driver. */
const batch = { rows: 500, underWay: 3 };

/** An import by the command line into a real Weaviate, compared with the same batches sent by undici. */
export const importing: Benchmark = {
  name: 'import',
  async run() {
    const binary = cachedServer(newestWeaviate);
    if (!binary) throw new Skipped('no Weaviate in the cache; npm run weaviate -- --fill-cache gets one');
    const server = await startWeaviate({ binary });
    try {
      return await withHome((home) =>
        withApp(home, async () => {
          const agent = new Agent({ connections: batch.underWay });
          await connect(home, server);
          const rows = Array.from({ length: count }, (_, row) => makeRow(row));
          const file = join(home, 'rows.jsonl');
          writeFileSync(
            file,
            rows.map(({ id, properties }) => `${JSON.stringify({ id, ...properties })}\n`).join(''),
          );
          const bodies = (table: string) =>
            Array.from({ length: Math.ceil(count / batch.rows) }, (_, at) => {
              const objects = rows.slice(at * batch.rows, (at + 1) * batch.rows);
              return JSON.stringify({ objects: objects.map((one) => ({ class: table, ...one })) });
            });
          const taken = await inTurns(
            { rounds: Number(process.env.TRESTLE_BENCH_ROUNDS ?? 3), warmUp: 0 },
            {
              bare: async () => {
                const table = await freshTable(server);
                const texts = bodies(table);
                const ms = await timed(() => sendBare(agent, server, texts));
                await dropTable(server, table);
                return ms;
              },
              imported: async () => {
                const table = await freshTable(server);
                const ms = await timed(async () => {
                  const report = (await ask(home, 'import', 'Cluster', table, file)) as { stored: number };
                  if (report.stored !== count) throw new Error(`${report.stored} stored`);
                });
                await dropTable(server, table);
                return ms;
              },
            },
          );
          await agent.close();
          return [
            {
              name: `import of ${count.toLocaleString('en')} objects by the command line`,
              unit: 'ms' as const,
              subject: taken.imported,
              baseline: taken.bare,
              against: `batches of ${batch.rows}, ${batch.underWay} at a time`,
              // 0.8 times the speed.
              goal: { of: 'ratio' as const, most: 1.25 },
            },
          ];
        }),
      );
    } finally {
      await server.stop();
    }
  },
};

function makeRow(row: number) {
  const note = `What there is to say of ${row}, in a sentence of some length`;
  const properties = { title: `Title ${row}`, note, pages: row % 700, price: row / 7 };
  return { id: randomUUID(), properties };
}

async function sendBare(agent: Agent, server: WeaviateServer, texts: string[]): Promise<void> {
  const waiting = texts.values();
  const send = async () => {
    for (const body of waiting) {
      const answer = await request(`${server.url}/v1/batch/objects`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        dispatcher: agent,
      });
      const results = (await answer.body.json()) as { result: { status: string } }[];
      if (results.some(({ result }) => result.status !== 'SUCCESS')) throw new Error('A batch failed');
    }
  };
  await Promise.all(Array.from({ length: batch.underWay }, send));
}

async function connect(home: string, { port }: WeaviateServer): Promise<void> {
  const list = join(home, 'cluster.json');
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  const levels = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
  const connection = { name: 'Cluster', driver: 'weaviate', fields, ...levels };
  writeFileSync(list, JSON.stringify({ connections: [connection] }));
  await ask(home, 'connections', 'import', list);
}

async function freshTable(server: WeaviateServer): Promise<string> {
  const name = `Import${randomUUID().slice(0, 8)}`;
  await schema(server, '', 'POST', {
    class: name,
    vectorizer: 'none',
    vectorIndexType: 'flat',
    properties: [
      { name: 'title', dataType: ['text'] },
      { name: 'note', dataType: ['text'] },
      { name: 'pages', dataType: ['int'] },
      { name: 'price', dataType: ['number'] },
    ],
  });
  return name;
}

const dropTable = (server: WeaviateServer, name: string) => schema(server, `/${name}`, 'DELETE');

async function schema({ url }: WeaviateServer, path: string, method: string, body?: object): Promise<void> {
  const answer = await fetch(`${url}/v1/schema${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}
