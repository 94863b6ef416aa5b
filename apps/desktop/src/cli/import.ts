import { resolve } from 'node:path';
import {
  type Connection,
  createFailedFile,
  type ImportFile,
  type ImportReport,
  importOutcome,
  importProgress,
  mapOfDesign,
  planImport,
  runImport,
  surveyFile,
  untypedNote,
} from '@trestle/core';
import type { Design } from '@trestle/driver-kit';
import { assertCreatable } from './assert-creatable.ts';
import { showImport } from './import-progress.ts';
import { previewLines, problemLines, summaryLines } from './import-report.ts';
import { packRows } from './import-rows.ts';
import { inJob } from './in-job.ts';
import { designForFile, inferredLines, newTable } from './new-table.ts';
import { printable, printJson, showProgress } from './output.ts';
import { parse, UsageError } from './parse.ts';
import { pick } from './pick.ts';
import type { CommandContext } from './run-command.ts';
import { type Ask, withCore } from './with-core.ts';

const help = `Usage: trestle import CONNECTION TABLE FILE [--create] [--map FROM=TO] [--replace] [--tenant T] [--dry-run] [--failed FILE]

Imports the rows of a file into a table or collection. The file is CSV (comma, semicolon, tab or |, with a header),
JSON lines or a JSON array of objects, in UTF-8, or in UTF-16 with a byte order mark. Rows that do not fit the table are
left out and counted. The first 20 problems are listed with their line numbers.

A row keeps the id that the file gives it. If the table has one id column, of type uuid or text, a row without an id gets
one that is derived from the file and the row's position. So a second import of the same file adds no row twice. For
other tables, the file must give each row an id, unless --new-ids is given. Without --replace, a row whose id exists
already does not change and is counted.

  --create        create TABLE for the file first: Trestle chooses the types from the values, and shows them with the
                  statements. With --dry-run, nothing is created. If Safe Mode is Confirm, Trestle asks first.
  --map FROM=TO   put the file's column FROM into the column TO; "FROM=" leaves it out. By default, columns of the
                  same name belong together. Can be given several times.
  --replace       update rows whose id exists already, in the columns that the file has
  --tenant T      the tenant of a collection that has tenants
  --new-ids       for tables whose ids Trestle cannot derive: the database gives each row without an id a new
                  one. A second import adds these rows again.
  --dry-run       show where each column goes, check every row, and send none
  --failed FILE   write to FILE each row that failed or got no answer. FILE can be imported again.
  --json          print the report as JSON

Needs the administrator passphrase, unless AI clients may write to the connection without a question and nothing is
masked. With --replace, a file with more rows than the reach limit needs the passphrase too. So does a file with more
rows than programs may still change in this hour.
Ctrl-C ends the import after the rows that were sent, and reports how many were stored. Without --json, the report
also says how to continue.
Exit code: 0 every row is stored or exists already (with --dry-run: fits), 1 not every row, 130 cancelled.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(
    args,
    help,
    {
      create: { type: 'boolean' },
      map: { type: 'string', multiple: true },
      replace: { type: 'boolean' },
      tenant: { type: 'string' },
      'new-ids': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      failed: { type: 'string' },
      json: { type: 'boolean' },
    },
    { min: 3, max: 3 },
  );
  if (!parsed) return 0;
  const [connection, table, path] = parsed.positionals as [string, string, string];
  const { values: flags } = parsed;
  const isDry = flags['dry-run'] ?? false;
  const map = readMap(flags.map ?? []);
  const file = resolve(path);
  const failedPath = flags.failed === undefined ? undefined : resolve(flags.failed);
  if (failedPath === file)
    throw new UsageError('--failed must name another file than the one to import.', help);
  const cancel = new AbortController();
  const onSignal = () => cancel.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);

  const survey = await surveyFile(file, { signal: cancel.signal }).catch((error: unknown) => {
    if (!cancel.signal.aborted) throw error;
  });
  if (!survey) {
    process.stderr.write('Cancelled. No row was sent.\n');
    return 130;
  }
  if (failedPath !== undefined) await assertCreatable(failedPath);
  const failedFile = failedPath === undefined ? undefined : createFailedFile(failedPath, survey);
  const problems = problemLines();
  let hasNewIds = false;
  const report = await withCore(dist, async (ask): Promise<ImportReport | null> => {
    const saved = pick('connection', await ask('connections.list', null), connection);
    const { id: connectionId } = saved;
    const created = flags.create
      ? await createTable(ask, survey, { saved, table, map, isDry, signal: cancel.signal })
      : null;
    if (created && isDry) return null;
    // A dry run replaces nothing, so the reach limit must not make it need the passphrase.
    const replace = (flags.replace ?? false) && !isDry;
    const target = { connectionId, table, replace, rows: survey.rows };
    const partition = flags.tenant === undefined ? {} : { partition: flags.tenant };
    const about = { work: isDry ? ('check' as const) : ('import' as const), connectionId, table };
    return inJob(ask, about, cancel, async (job) => {
      const begun = await ask('imports.begin', { ...target, ...partition, job: job.id });
      const show = showImport(survey.rows);
      const ofDesign = created ? mapOfDesign(survey.columns, created, begun.table) : {};
      const plan = planImport(survey.columns, begun.table, {
        map: { ...ofDesign, ...map },
        newIds: flags['new-ids'] ?? false,
      });
      hasNewIds = plan.missingId === 'database';
      const note = untypedNote(plan, survey.format);
      if (note !== undefined) process.stderr.write(`${printable(note)}\n`);
      if (isDry && !flags.json) for (const line of previewLines(survey, plan)) console.log(printable(line));
      const report = await runImport({
        file: survey,
        plan,
        send: isDry
          ? null
          : (rows) => packRows(rows, (packed) => ask('imports.send', { id: begun.id, rows: packed })),
        failedFile,
        onFailed: ({ line }, { problem }) => problems.add(line, problem),
        onProgress(counts) {
          show(counts);
          job.report(importProgress(counts, survey.rows));
        },
        signal: cancel.signal,
      });
      job.report(importProgress(report, survey.rows, report.ended));
      const { how, words } = importOutcome(report);
      job.end(how, words);
      return report;
    });
  }).finally(() => showProgress(''));

  if (!report) {
    console.log('Nothing was sent.');
    return 0;
  }
  const told = {
    isDry,
    table,
    failedFile: failedFile?.path ?? null,
    incompleteFile: failedPath && failedFile?.path === null && failedFile.rows > 0 ? failedPath : null,
    hasNewIds,
    replaces: flags.replace ?? false,
  };
  if (flags.json) printJson({ ...report, dryRun: isDry, problems: problems.list() });
  else {
    for (const line of problems.lines()) process.stderr.write(`${printable(line)}\n`);
    for (const line of summaryLines(report, told)) console.log(printable(line));
  }
  if (report.ended === 'cancelled') return 130;
  return report.ended === 'stopped' || report.failed + report.unknown > 0 ? 1 : 0;
}

/** Creates the table for the file. What is created goes to the standard error: with --json, the output is the report. */
async function createTable(
  ask: Ask,
  file: ImportFile,
  {
    saved,
    table: name,
    ...options
  }: {
    saved: Connection;
    table: string;
    map: Record<string, string | null>;
    isDry: boolean;
    signal: AbortSignal;
  },
): Promise<Design> {
  const print = (line: string) => void process.stderr.write(`${printable(line)}\n`);
  const place = { connectionId: saved.id, name, ...options };
  const { design, columns } = await designForFile(ask, file, place);
  for (const line of inferredLines(columns, design)) print(line);
  const { notes } = await newTable(ask, saved, design, { ...options, print });
  for (const note of notes) print(note);
  if (!options.isDry) print(`${name} was created.`);
  return design;
}

function readMap(pairs: string[]): Record<string, string | null> {
  const entries = pairs.map((pair): [string, string | null] => {
    const at = pair.lastIndexOf('=');
    if (at < 1) throw new UsageError(`--map needs FROM=TO, not "${pair}".`, help);
    return [pair.slice(0, at), pair.slice(at + 1) || null];
  });
  return Object.fromEntries(entries);
}
