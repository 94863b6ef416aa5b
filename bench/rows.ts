import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDriverLink } from '@trestle/driver-host';
import { type Page, packWire, unpackWire } from '@trestle/driver-kit';
import { manifestSchema } from '@trestle/driver-kit/manifest';
import manifest from '../drivers/sqlite/manifest.json' with { type: 'json' };
import { enterWindow } from '../tests/enter-window.ts';
import { type Benchmark, type Figure, inTurns, timed } from './measure.ts';
import { ask, dist, post, withApp, withHome } from './trestle.ts';

const rowCount = 1000;
const columns = Array.from({ length: 10 }, (_, index) => `column_${index}`);
const request = {
  table: 'texts',
  filters: [],
  match: 'all' as const,
  sort: [],
  limit: rowCount,
  offset: 0,
};

/**
 * A page of 1,000 rows with 10 texts each, as the window gets it, compared with reading the same rows in this
 * process.
 */
export const rows: Benchmark = {
  name: 'rows',
  run: () =>
    withHome(async (home) => {
      const file = join(home, 'texts.db');
      const database = makeDatabase(file);
      const created = await ask(
        home,
        'connections',
        'add',
        '--driver',
        'sqlite',
        '--name',
        'Texts',
        '--file',
        file,
      );
      const { id: connectionId } = created as { id: string };
      const link = await openDriverLink(
        {
          hostEntry: join(dist, 'driver-host.js'),
          driverDirectory: join(dist, 'drivers', 'sqlite'),
          manifest: manifestSchema.parse(manifest),
          bundled: true,
          fields: { file },
          log: () => {},
        },
        { signal: new AbortController().signal, timeoutMs: 20_000 },
      );
      try {
        return await withApp(home, (app) => measure({ app, connectionId, database, link }));
      } finally {
        await link.close();
        database.close();
      }
    }),
};

async function measure(parts: {
  app: { link: string };
  connectionId: string;
  database: DatabaseSync;
  link: Awaited<ReturnType<typeof openDriverLink>>;
}): Promise<Figure[]> {
  const { origin, headers } = await enterWindow(parts.app.link);
  const agent = new Agent({ keepAlive: true });
  const body = packWire({ connectionId: parts.connectionId, request });
  const statement = parts.database.prepare(`SELECT rowid, * FROM texts LIMIT ${rowCount}`);
  const { signal } = new AbortController();
  const taken = await inTurns(
    { rounds: 60, warmUp: 20 },
    {
      chain: () =>
        timed(async () => {
          const url = new URL('/data/browse', origin);
          const answer = unpackWire(await post(url, { agent, headers, body })) as Page;
          expectRows(answer.rows.rowCount);
        }),
      link: () =>
        timed(async () => expectRows((await parts.link.session.browse(request, { signal })).rows.rowCount)),
      direct: () => timed(() => expectRows(statement.all().length)),
    },
  );
  agent.destroy();
  const common = { unit: 'ms' as const, baseline: taken.direct, against: 'node:sqlite in this process' };
  return [
    { name: '1,000-row page through the whole chain', subject: taken.chain, ...common },
    { name: '1,000-row page through the driver host', subject: taken.link, ...common },
  ];
}

function makeDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE texts (${columns.map((name) => `${name} TEXT`).join(', ')})`);
  const insert = database.prepare(`INSERT INTO texts VALUES (${columns.map(() => '?').join(', ')})`);
  database.exec('BEGIN');
  for (let row = 0; row < 2 * rowCount; row++) {
    insert.run(...columns.map((name) => `${name} of row ${row}, some words long`));
  }
  database.exec('COMMIT');
  return database;
}

function expectRows(count: number): void {
  if (count !== rowCount) throw new Error(`${count} rows instead of ${rowCount}`);
}
