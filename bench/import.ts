import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { goals } from './goals.ts';
import { type Benchmark, inTurns, timed } from './measure.ts';
import { batch, dropTable, freshTable, makeRow, sendBatches, withCluster } from './own-cluster.ts';
import { ask } from './trestle.ts';

const count = Number(process.env.TRESTLE_BENCH_ROWS ?? 100_000);
const rounds = Number(process.env.TRESTLE_BENCH_ROUNDS ?? 3);

/** An import by the command line into a real Weaviate, compared with the same rows sent in batches by undici. */
export const importing: Benchmark = {
  name: 'import',
  run: () =>
    withCluster(async ({ server, home }) => {
      const agent = new Agent({ connections: batch.underWay });
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
        { rounds, warmUp: 0 },
        {
          bare: async () => {
            const table = await freshTable(server);
            const texts = bodies(table);
            const ms = await timed(() => sendBatches(agent, server, texts));
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
          goal: goals.import,
        },
      ];
    }),
};
