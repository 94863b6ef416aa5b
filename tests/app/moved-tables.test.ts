import { copyFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { packWire } from '@trestle/driver-kit';
import { randomSource } from '@trestle/driver-kit/testing/random';
import { expect, onTestFinished, test } from 'vitest';
import { compare, compareParquet, readRaw } from '../../packages/core/src/testing/compare-tables.ts';
import {
  create,
  definition,
  fill,
  type OddTable,
  oddTable,
  quoted,
} from '../../packages/core/src/testing/odd-tables.ts';
import { importConnections, startApp, type TestApp } from '../e2e/app.ts';
import { enterWindow } from '../enter-window.ts';
import { connectBridge } from './bridge.ts';

/** Odd tables through the doors of the whole app. packages/core/src/moved-tables.test.ts moves many more through the core. */
const tables = Number(process.env.TRESTLE_DOOR_TABLES ?? 3);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20_261_119);
const formats = ['csv', 'json', 'jsonl', 'parquet'] as const;
type Format = (typeof formats)[number];

/** What a door does with a table: writes it to a file, and reads a file into a table. */
interface Door {
  /** Returns the columns that the door named as not exact, each with its count. */
  write(table: OddTable, format: Format, file: string): Promise<{ column: string; count: number }[]>;
  read(file: string, table: string): Promise<{ stored: number; failed: number }>;
}

const doors: Record<string, (app: TestApp, connectionId: string) => Promise<Door>> = {
  'the command line': async (app) => commandLine(app),
  'the window': (app, connectionId) => window(app, connectionId),
  'the bridge': async (app, connectionId) => ({
    ...(await bridge(app, connectionId)),
    // An AI client imports no files.
    read: commandLine(app).read,
  }),
};

test.each(Object.entries(doors))(
  `${tables} odd tables through %s arrive in every format, or the loss was announced`,
  { timeout: 120_000 + tables * 60_000 },
  async (_, open) => {
    const app = await startApp();
    onTestFinished(() => app.close());
    const file = join(app.folder, 'odd.db');
    const raw = new DatabaseSync(file, { timeout: 10_000 });
    onTestFinished(() => raw.close());
    raw.exec('CREATE TABLE first (id INTEGER PRIMARY KEY)');
    const rights = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
    await importConnections(app, [{ name: 'Odd', driver: 'sqlite', fields: { file }, ...rights }]);
    const saved = (await app.ask('connections.list')) as { id: string; name: string }[];
    const door = await open(app, saved.find(({ name }) => name === 'Odd')!.id);
    const random = randomSource(seed);
    for (let round = 0; round < tables; round++) {
      const table = oddTable(random);
      create(raw, table, table.name);
      fill(raw, table, random);
      const given = readRaw(raw, table, table.name);
      for (const format of formats) {
        const where = `seed ${seed}, table ${round}, ${format}: ${definition(table, table.name)}`;
        const path = join(app.folder, `odd-${round}.${format}`);
        const inexact = (await door.write(table, format, path)).map((one) => ({ ...one, kinds: '' }));
        if (format === 'parquet') {
          await compareParquet(path, { given, table, inexact, where });
          continue;
        }
        create(raw, table, 'target');
        const { failed } = await door.read(path, 'target');
        compare(given, readRaw(raw, table, 'target'), { inexact, failed, where });
        if (format !== 'csv') expect(failed + inexact.length, where).toBe(0);
        raw.exec('DROP TABLE target');
      }
      raw.exec(`DROP TABLE ${quoted(table.name)}`);
    }
  },
);

function commandLine(app: TestApp): Door {
  return {
    async write({ name }, format, file) {
      const { code, stdout, stderr } = await app.run('export', 'Odd', name, '--out', file, '--json');
      expect(code, stderr).toBe(0);
      const { inexact } = JSON.parse(stdout) as { inexact: { column: string; count: number }[] };
      // People read it too, before the file is written.
      expect(stderr.split('\n').filter((line) => line.includes(' of the column '))).toHaveLength(
        inexact.length,
      );
      expect(file.endsWith(format)).toBe(true);
      return inexact;
    },
    async read(file, table) {
      const { stdout, stderr } = await app.run('import', 'Odd', table, file, '--json');
      return JSON.parse(stdout || `{"problem": ${JSON.stringify(stderr)}}`);
    },
  };
}

async function window(app: TestApp, connectionId: string): Promise<Door> {
  const { origin, headers } = await enterWindow(await app.createLink());
  const post = async (path: string, type: string, body: BodyInit) => {
    const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body };
    const answer = await fetch(`${origin}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const json = async (path: string, body: object) => post(path, 'application/json', JSON.stringify(body));
  return {
    async write({ name, key, columns }, format, file) {
      const names = [key.name, ...columns.map((column) => column.name)];
      const request = { table: name, columns: names, filters: [], match: 'all', sort: [] };
      const start = async (isInexactKnown: boolean) => {
        const rows = { kind: 'all' };
        const body = { connectionId, request, rows, format, escapeFormulas: false, isInexactKnown };
        const answer = await post('/data/export', 'application/octet-stream', packWire(body));
        return (await answer.json()) as { inexact?: string[]; file?: string };
      };
      const first = await start(false);
      const { file: path } = first.inexact ? await start(true) : first;
      const download = await fetch(`${origin}${path}`, { headers });
      expect(download.status).toBe(200);
      await writeFile(file, new Uint8Array(await download.arrayBuffer()));
      return (first.inexact ?? []).flatMap((line) => {
        const [, count, column] = /does not keep (\d+) values? of the column (.*) exactly/s.exec(line) ?? [];
        return column === undefined ? [] : [{ column, count: Number(count) }];
      });
    },
    async read(file, table) {
      const bytes = await readFile(file);
      const received = await post('/data/import/file?name=odd', 'application/octet-stream', bytes);
      const { id } = (await received.json()) as { id: string };
      const plan = await (await json('/data/import/plan', { id, connectionId, table })).json();
      const { map } = plan as { map: Record<string, string | null> };
      expect(Object.values(map)).not.toContain(null);
      const run = await json('/data/import/run', { id, connectionId, table, map, existing: 'skip' });
      const frames = (await run.text()).trimEnd().split('\n');
      const last = JSON.parse(frames.at(-1)!);
      expect(last.report, JSON.stringify(last)).toMatchObject({ ended: 'complete' });
      return last.report;
    },
  };
}

async function bridge(app: TestApp, connectionId: string): Promise<Pick<Door, 'write'>> {
  const call = await connectBridge(app.folder);
  return {
    async write({ name, key, columns }, format, file) {
      const text = await call('export_data', { connection_id: connectionId, table: name, format });
      const [link] = /file:\S+/.exec(text) ?? [];
      if (!link) throw new Error(text);
      copyFileSync(fileURLToPath(link), file);
      const inOneLine = (column: string) => column.replaceAll(/\s+/g, ' ').trim();
      const all = [key, ...columns].map((column) => column.name);
      return Array.from(
        text.matchAll(/\[data (\d+)\] (.*?) \[end \1\]: (\d+) values?/g),
        ([, , named, count]) => ({
          column: all.find((column) => inOneLine(column) === named)!,
          count: Number(count),
        }),
      );
    },
  };
}
