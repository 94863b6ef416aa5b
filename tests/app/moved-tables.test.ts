import { copyFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { packWire } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import type { Raw, RawRows } from '../../packages/core/src/testing/compare-tables.ts';
import { type Door, moveTables } from '../../packages/core/src/testing/move-tables.ts';
import { create, type OddTable } from '../../packages/core/src/testing/odd-tables.ts';
import { importConnections, startApp, type TestApp } from '../e2e/app.ts';
import { enterWindow } from '../enter-window.ts';
import { connectBridge } from './bridge.ts';

/** Odd tables through the doors of the whole app. packages/core/src/moved-tables.test.ts moves many more through the core. */
const tables = Number(process.env.TRESTLE_DOOR_TABLES ?? 3);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20_261_119);

interface Place {
  app: TestApp;
  connectionId: string;
  raw: DatabaseSync;
}

const doors: Record<string, (place: Place) => Promise<Door>> = {
  'the command line': async ({ app }) => commandLine(app),
  'the window': window,
  'the bridge': bridge,
};

test.each(Object.entries(doors))(
  `${tables} odd tables through %s arrive in every way, or the loss was announced`,
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
    const door = await open({ app, connectionId: saved.find(({ name }) => name === 'Odd')!.id, raw });
    await moveTables(door, { tables, seed, source: raw, target: raw });
  },
);

function commandLine(app: TestApp): Door {
  return {
    async write({ name }, format) {
      const file = join(app.folder, `odd.${format}`);
      const { code, stdout, stderr } = await app.run(
        'export',
        'Odd',
        name,
        '--out',
        file,
        '--replace',
        '--json',
      );
      expect(code, stderr).toBe(0);
      const { inexact } = JSON.parse(stdout) as { inexact: { column: string; count: number }[] };
      // People read it too, before the file is written.
      expect(stderr.split('\n').filter((line) => line.includes(' of the column '))).toHaveLength(
        inexact.length,
      );
      return { file, inexact };
    },
    async read(file) {
      const { stdout, stderr } = await app.run('import', 'Odd', 'target', file, '--json');
      return JSON.parse(stdout || `{"problem": ${JSON.stringify(stderr)}}`);
    },
  };
}

async function window({ app, connectionId }: Place): Promise<Door> {
  const { origin, headers } = await enterWindow(await app.createLink());
  const post = async (path: string, type: string, body: BodyInit) => {
    const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body };
    const answer = await fetch(`${origin}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const json = async (path: string, body: object) => post(path, 'application/json', JSON.stringify(body));
  return {
    async write({ name, key, columns }, format) {
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
      const file = join(app.folder, `odd.${format}`);
      await writeFile(file, new Uint8Array(await download.arrayBuffer()));
      const inexact = (first.inexact ?? []).flatMap((line) => {
        const [, count, column] = /does not keep (\d+) values? of the column (.*) exactly/s.exec(line) ?? [];
        return column === undefined ? [] : [{ column, count: Number(count) }];
      });
      return { file, inexact };
    },
    async read(file) {
      const table = 'target';
      const bytes = await readFile(file);
      const received = await post('/data/import/file?name=odd', 'application/octet-stream', bytes);
      const { id } = (await received.json()) as { id: string };
      const plan = await (await json('/data/import/plan', { id, connectionId, table })).json();
      const { map } = plan as { map: Record<string, string | null> };
      expect(Object.values(map)).not.toContain(null);
      const run = await json('/data/import/run', { id, connectionId, table, map, existing: 'skip' });
      const { job } = (await run.json()) as { job: string };
      const input = encodeURIComponent(JSON.stringify({ id: job }));
      const state = async () =>
        (await app.ask(`jobs.get?input=${input}`)) as { outcome: object | null; detail: { report: object } };
      await expect.poll(async () => (await state()).outcome, { timeout: 60_000 }).not.toBe(null);
      const { detail } = await state();
      expect(detail.report, JSON.stringify(await state())).toMatchObject({ ended: 'complete' });
      return detail.report as Awaited<ReturnType<Door['read']>>;
    },
  };
}

async function bridge({ app, connectionId, raw }: Place): Promise<Door> {
  const call = await connectBridge(app.folder);
  const target = { connection_id: connectionId, table: 'target' };
  const insert = async (rows: object[]) => {
    expect(await call('insert_rows', { ...target, rows })).toMatch(new RegExp(`^${rows.length} inserted`));
  };
  return {
    async write({ name, key, columns }, format) {
      const all = [key, ...columns].map((column) => column.name);
      const inOneLine = (column: string) => column.replaceAll(/\s+/g, ' ').trim();
      const inexactIn = (text: string) =>
        Array.from(
          text.matchAll(/\[data (\d+)\] (.*?) \[end \1\]: (\d+) values?/g),
          ([, , named, count]) => ({
            column: all.find((column) => inOneLine(column) === named)!,
            count: Number(count),
          }),
        );
      const args = { connection_id: connectionId, table: name, format };
      const first = await call('export_data', args);
      const isRefused = first.startsWith('invalid_argument: No file was written');
      const text = isRefused ? await call('export_data', { ...args, allow_inexact: true }) : first;
      const inexact = inexactIn(first);
      expect(inexactIn(text)).toEqual(inexact);
      expect(isRefused).toBe(inexact.length > 0);
      const [link] = /file:\S+/.exec(text) ?? [];
      if (!link) throw new Error(text);
      const file = join(app.folder, `odd.${format}`);
      copyFileSync(fileURLToPath(link), file);
      return { file, inexact };
    },
    // An AI client imports no files.
    read: commandLine(app).read,
    exact: {
      async insert_rows(table, given) {
        create(raw, table, 'target');
        await insert(sentRows(table, given));
      },
      async update_rows(table, given) {
        create(raw, table, 'target');
        const { name } = table.key;
        const isKey = ([column]: [string, unknown]) => column === name;
        const all = sentRows(table, given).map((row) => ({
          key: Object.fromEntries(Object.entries(row).filter(isKey)),
          values: Object.fromEntries(Object.entries(row).filter((entry) => !isKey(entry))),
        }));
        await insert(all.map(({ key }) => key));
        const changes = all.map(({ key, values }) => ({
          key,
          values,
          expected: Object.fromEntries(Object.keys(values).map((column) => [column, null])),
        }));
        const text = await call('update_rows', { ...target, changes });
        expect(text).toMatch(new RegExp(`^${changes.length} updated`));
      },
    },
  };
}

function sentRows({ key, columns }: OddTable, given: RawRows): Record<string, unknown>[] {
  const all = [key, ...columns];
  return Array.from(given.values(), (cells) =>
    Object.fromEntries(cells.map((cell, index) => [all[index]!.name, sentValue(cell)])),
  );
}

/** The form that docs/import.md gives for a value of this type in any column. */
function sentValue({ type, value }: Raw): unknown {
  switch (type) {
    case 'text':
      return { $text: value };
    case 'integer':
      return { $integer: String(value) };
    case 'real':
      // JSON has no infinity, and JSON.stringify no -0.
      if (Object.is(value, -0)) return { $real: '-0' };
      return { $real: Number.isFinite(value) ? value : String(value) };
    case 'blob':
      return { $bytes: Buffer.from(value as Uint8Array).toString('base64') };
    default:
      return null;
  }
}
