import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { randomSource } from '@trestle/driver-kit/testing/random';
import { expect, test, vi } from 'vitest';
import { type ExportFormat, exportFormats, exportWriter } from './export/export-format.ts';
import { inexactValues, unsureColumns } from './export/inexact-values.ts';
import { planImport } from './imports/plan-import.ts';
import { runImport } from './imports/run-import.ts';
import { surveyFile } from './imports/survey-file.ts';
import { newConnectionDraft } from './index.ts';
import { compare, compareParquet, readRaw } from './testing/compare-tables.ts';
import { create, definition, fill, type OddTable, oddTable, quoted } from './testing/odd-tables.ts';
import { accessTo, root, temporaryFolder, testCore } from './testing/test-core.ts';

/** How many tables are moved. `npm run proofs -- moves` moves more. */
const tables = Number(process.env.TRESTLE_FUZZ_CASES ?? 6);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20_261_119);
const signal = new AbortController().signal;
const all = { filters: [], match: 'all' as const, sort: [] };

test(`${tables} tables with odd names and values arrive in every format and as a copy, or the loss was announced`, {
  timeout: 120_000 + tables * 4000,
}, async () => {
  const folder = temporaryFolder();
  const { core } = await testCore({ bundledDrivers: [inOneProcess(join(folder, 'driver'))] });
  const file = join(folder, 'odd.db');
  const raw = new DatabaseSync(file);
  raw.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  const targetFile = join(folder, 'target.db');
  const target = new DatabaseSync(targetFile);
  target.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  const connect = async (name: string, file: string) => {
    const draft = { ...newConnectionDraft(core.drivers.get('sqlite')!), name, fields: { file } };
    return (await core.connections.create(draft)).id;
  };
  const id = await connect('Odd', file);
  const targetId = await connect('Target', targetFile);
  const random = randomSource(seed);
  for (let round = 0; round < tables; round++) {
    const table = oddTable(random);
    create(raw, table, table.name);
    fill(raw, table, random);
    const given = readRaw(raw, table, table.name);
    for (const format of exportFormats) {
      const where = `seed ${seed}, table ${round}, ${format}: ${definition(table, table.name)}`;
      const { path, inexact } = await exported(format, table);
      if (format === 'parquet') {
        await compareParquet(path, { given, table, inexact, where });
        continue;
      }
      create(target, table, 'target');
      const report = await imported(path);
      compare(given, readRaw(target, table, 'target'), {
        inexact,
        failed: report.failed,
        where: `${where}\n${JSON.stringify(report)}`,
      });
      if (format !== 'csv') expect(report.failed + inexact.length, where).toBe(0);
      target.exec('DROP TABLE target');
    }
    const where = `seed ${seed}, table ${round}, copy: ${definition(table, table.name)}`;
    await copied(table);
    compare(given, readRaw(target, table, 'target'), { inexact: [], failed: 0, where });
    target.exec('DROP TABLE target');
    raw.exec(`DROP TABLE ${quoted(table.name)}`);
  }
  raw.close();
  target.close();

  async function exported(format: ExportFormat, { name }: OddTable) {
    const table = await core.data.describe(accessTo(id), name);
    const names = table.columns.filter(({ hidden }) => !hidden).map((column) => column.name);
    const read = (columns = names) =>
      core.data.exportRows(accessTo(id), { ...all, table: name, columns, exact: true });
    const unsure = unsureColumns(format, names, table);
    const inexact = unsure.length > 0 ? await inexactValues(read(unsure), format) : [];
    const asText = inexact.map(({ column }) => column);
    const writer = await exportWriter(format, { columns: names, escapeFormulas: false, asText });
    const pieces: (string | Uint8Array)[] = [];
    for await (const rows of read()) pieces.push(await writer.rows(rows, 0, rows.rowCount));
    pieces.push(await writer.end());
    const path = join(folder, `odd.${format}`);
    writeFileSync(path, Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
    return { path, inexact };
  }

  async function imported(path: string) {
    const survey = await surveyFile(path, { signal });
    const begun = await core.imports.begin(
      { connectionId: targetId, table: 'target', replace: false },
      signal,
    );
    const problems: string[] = [];
    const report = await runImport({
      file: survey,
      plan: planImport(survey.columns, begun.table),
      send: (rows) => core.imports.send(begun.id, rows, signal),
      onFailed: (_row, { problem }) => problems.push(problem),
      signal,
    });
    core.imports.end(begun.id);
    return { ...report, problems };
  }

  async function copied({ name }: OddTable) {
    const to = { connectionId: targetId, table: 'target' };
    const actor = { door: 'window', isPerson: true } as const;
    const { id: copy } = await core
      .administer(actor)
      .beginCopy({ from: { connectionId: id, table: name }, to, goOn: false });
    await vi.waitFor(() => expect(core.copies.progress(copy).state).toBe('done'), {
      timeout: 120_000,
      interval: 5,
    });
    expect(core.copies.progress(copy)).toMatchObject({
      report: { ended: 'complete', failed: 0, different: [] },
    });
    core.copies.forget(copy);
  }
});

/** The driver without a process for each export: starting them would take most of the time. */
function inOneProcess(folder: string): string {
  cpSync(join(root, 'dist', 'drivers', 'sqlite'), folder, { recursive: true });
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, concurrency: 'parallel' }));
  return folder;
}
