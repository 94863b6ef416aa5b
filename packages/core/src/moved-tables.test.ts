import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { type ExportFormat, exportWriter } from './export/export-format.ts';
import { inexactValues, unsureColumns } from './export/inexact-values.ts';
import { planImport } from './imports/plan-import.ts';
import { runImport } from './imports/run-import.ts';
import { surveyFile } from './imports/survey-file.ts';
import { newConnectionDraft } from './index.ts';
import { moveTables, type Written } from './testing/move-tables.ts';
import type { OddTable } from './testing/odd-tables.ts';
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
  await moveTables({ write, read, exact: { copy } }, { tables, seed, source: raw, target });
  raw.close();
  target.close();

  async function write({ name }: OddTable, format: ExportFormat): Promise<Written> {
    const table = await core.data.describe(accessTo(id), name);
    const names = table.columns.filter(({ hidden }) => !hidden).map((column) => column.name);
    const rowsOf = (columns = names) =>
      core.data.exportRows(accessTo(id), { ...all, table: name, columns, exact: true });
    const unsure = unsureColumns(format, names, table);
    const inexact = unsure.length > 0 ? await inexactValues(rowsOf(unsure), format) : [];
    const asText = inexact.map(({ column }) => column);
    const writer = await exportWriter(format, { columns: names, escapeFormulas: false, asText });
    const pieces: (string | Uint8Array)[] = [];
    for await (const rows of rowsOf()) pieces.push(await writer.rows(rows, 0, rows.rowCount));
    pieces.push(await writer.end());
    const file = join(folder, `odd.${format}`);
    writeFileSync(file, Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
    return { file, inexact };
  }

  async function read(path: string) {
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

  async function copy({ name }: OddTable) {
    const to = { connectionId: targetId, table: 'target' };
    const actor = { door: 'window', isPerson: true } as const;
    const { id: job } = await core
      .administer(actor)
      .beginCopy({ from: { connectionId: id, table: name }, to, goOn: false });
    await vi.waitFor(() => expect(core.jobs.get(job).outcome?.how).toBe('complete'), {
      timeout: 120_000,
      interval: 5,
    });
    core.jobs.forget(job);
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
