import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startVectorNode } from '@trestle/vector-node';
import { enterWindow } from '../tests/enter-window.ts';
import { goals } from './goals.ts';
import { type Benchmark, type Figure, inTurns, timed } from './measure.ts';
import { ask, sampleConnection, startApp, withApp, withHome } from './trestle.ts';
import { openLink, unpackDriver } from './weaviate.ts';

const { signal } = new AbortController();

/**
 * Compares many collections, properties, connections and history rows with a tenth of them. The ratio shows how the
 * cost grows with their number.
 */
export const many: Benchmark = {
  name: 'many',
  run: async () => [...(await collections()), ...(await connections()), ...(await history())],
};

/** The collections are in the sample node, so a real server's own time for the schema is not measured. */
async function collections(): Promise<Figure[]> {
  const [few, lots] = [await nodeWith(200, 30), await nodeWith(2_000, 300)];
  try {
    return await withHome(async (home) => {
      const folder = await unpackDriver(home);
      const links = { few: await openLink(folder, few.port), lots: await openLink(folder, lots.port) };
      const page = { table: 'Wide', filters: [], match: 'all' as const, sort: [], limit: 100, offset: 0 };
      const works = {
        'list of 2,000 collections': (link: typeof links.few) => link.session.listTables({ signal }),
        'description of 300 properties': (link: typeof links.few) =>
          link.session.describeTable('Wide', { signal }),
        'page of 100 rows with 300 properties': (link: typeof links.few) =>
          link.session.browse(page, { signal }),
      };
      const figures: Figure[] = [];
      for (const [name, work] of Object.entries(works)) {
        const taken = await inTurns(
          { rounds: 9, warmUp: 2 },
          { lots: () => timed(() => work(links.lots)), few: () => timed(() => work(links.few)) },
        );
        figures.push(figure(name, taken.lots, taken.few));
      }
      await Promise.all([links.few.close(), links.lots.close()]);
      return figures;
    });
  } finally {
    await Promise.all([few.stop(), lots.stop()]);
  }
}

async function nodeWith(count: number, properties: number) {
  const node = await startVectorNode({ seed: false });
  const text = (index: number) => ({ name: `property${index}`, dataType: ['text'] });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${node.url}/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  const wide = Array.from({ length: properties }, (_, index) => text(index));
  await post('/schema', { class: 'Wide', vectorizer: 'none', properties: wide });
  for (let index = 1; index < count; index++) {
    await post('/schema', { class: `Many${index}`, vectorizer: 'none', properties: wide.slice(0, 10) });
  }
  const values = Object.fromEntries(wide.map(({ name }) => [name, `a value of ${name}`]));
  const objects = Array.from({ length: 100 }, () => ({ class: 'Wide', properties: values }));
  await post('/batch/objects', { objects });
  return node;
}

async function connections(): Promise<Figure[]> {
  return withHome((few) =>
    withHome(async (lots) => {
      for (const [home, count] of [
        [few, 20],
        [lots, 200],
      ] as const) {
        const fields = { file: join(home, 'nowhere.db') };
        const list = Array.from({ length: count }, (_, at) => ({
          name: `Connection ${at}`,
          driver: 'sqlite',
          fields,
        }));
        writeFileSync(join(home, 'list.json'), JSON.stringify({ connections: list }));
        await ask(home, 'connections', 'import', join(home, 'list.json'));
      }
      return [
        ...(await starts('start with 200 connections', lots, few)),
        ...(await asked('list of 200 connections', [lots, few], 'connections.list', undefined)),
      ];
    }),
  );
}

async function history(): Promise<Figure[]> {
  return withHome((few) =>
    withHome(async (lots) => {
      await writeHistory(few, 10_000);
      await writeHistory(lots, 100_000);
      const search = (input: object) => ({ limit: 100, ...input });
      return [
        ...(await starts('start with 100,000 history rows', lots, few)),
        ...(await asked('newest of 100,000 history rows', [lots, few], 'history.search', search({}))),
        ...(await asked(
          'text that is in none of 100,000 history rows',
          [lots, few],
          'history.search',
          search({ text: 'nowhere' }),
        )),
        ...(await asked(
          'statements of a connection that has none',
          [lots, few],
          'history.search',
          search({ connectionIds: ['none'] }),
        )),
      ];
    }),
  );
}

async function writeHistory(home: string, count: number): Promise<void> {
  await withApp(home, async () => {});
  const id = await sampleConnection(home);
  const database = new DatabaseSync(join(home, 'trestle.db'));
  const insert = database.prepare(
    "INSERT INTO history (connection_id, caller, text, effect, outcome, rows, duration_ms, at) VALUES (?, 'person', ?, 'read', 'ok', 1, 2.5, ?)",
  );
  database.exec("BEGIN; INSERT INTO settings VALUES ('historyEntries', '1000000')");
  for (let row = 0; row < count; row++) {
    insert.run(
      id,
      `SELECT name, ${row} FROM moons WHERE planet = 'Saturn'`,
      new Date(row * 1000).toISOString(),
    );
  }
  database.exec('COMMIT');
  database.close();
}

async function starts(name: string, lots: string, few: string): Promise<Figure[]> {
  const started = (home: string) => async () => {
    const begun = performance.now();
    const app = await startApp(home);
    const ms = performance.now() - begun;
    await app.stop();
    return ms;
  };
  const taken = await inTurns({ rounds: 5 }, { lots: started(lots), few: started(few) });
  return [figure(name, taken.lots, taken.few)];
}

async function asked(
  name: string,
  homes: readonly [string, string],
  procedure: string,
  input: unknown,
): Promise<Figure[]> {
  return withApp(homes[0], (lots) =>
    withApp(homes[1], async (few) => {
      const windows = { lots: await enterWindow(lots.link), few: await enterWindow(few.link) };
      const call = async ({ origin, headers }: typeof windows.lots) => {
        const answer = await fetch(`${origin}/api/${procedure}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(input) ?? '',
        });
        const body = (await answer.json()) as { error?: unknown };
        if (body.error) throw new Error(JSON.stringify(body.error));
      };
      const taken = await inTurns(
        { rounds: 21, warmUp: 5 },
        { lots: () => timed(() => call(windows.lots)), few: () => timed(() => call(windows.few)) },
      );
      return [figure(name, taken.lots, taken.few)];
    }),
  );
}

function figure(name: string, subject: number[], baseline: number[]): Figure {
  return { name, unit: 'ms', subject, baseline, against: 'a tenth of them', goal: goals.many };
}
