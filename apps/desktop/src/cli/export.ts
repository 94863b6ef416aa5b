import { extname } from 'node:path';
import {
  type ExportFormat,
  exportFormats,
  exportWriter,
  type InexactColumn,
  inexactValues,
  inexactWords,
  unsureColumns,
} from '@trestle/core';
import { amount, type Filter, type RowSet, type Sort, unpackWire } from '@trestle/driver-kit';
import { type ExportFile, openExportFile } from './export-file.ts';
import { type CommandJob, inJob } from './in-job.ts';
import { printable, printJson, showProgress } from './output.ts';
import { parse, UsageError } from './parse.ts';
import { pick } from './pick.ts';
import type { CommandContext } from './run-command.ts';
import { type Ask, withCore } from './with-core.ts';

const help = `Usage: trestle export CONNECTION TABLE --out FILE [--format csv|json|jsonl|parquet] [--tenant T]

Writes the rows of a table or collection to a file, in constant memory. The file gets its name once it is
complete. An import of a JSON or JSON lines file gives the same values. If CSV or Parquet cannot keep some of
them, the command names the columns and counts the values before it writes the file.

  --out FILE       the file to write; - for the standard output
  --format F       csv, json, jsonl (JSON lines) or parquet; by default, the ending of FILE decides
  --tenant T       the tenant of a collection that has tenants
  --columns A,B    only these columns
  --vectors        vectors too, if no columns are named
  --filter JSON    only rows that match, such as '[{"column":"year","operator":"greater_than","value":1960}]'
  --match any      rows that match at least one filter (default: all filters)
  --sort=A,-B      by column A, then by B descending. Trestle sorts at most 10,000 objects of Weaviate.
  --escape-formulas  CSV only: put an apostrophe before text that a spreadsheet would run as a formula. An import
                   of the file gets the apostrophe too
  --replace        replace FILE if it exists
  --json           print the report as JSON

Needs the administrator passphrase, unless AI clients may read the connection without a question and nothing is masked.
Ctrl-C ends the export, and no file is written. Exit code: 0 done, 1 failed, 130 cancelled.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const options = {
    out: { type: 'string' },
    format: { type: 'string' },
    tenant: { type: 'string' },
    columns: { type: 'string' },
    vectors: { type: 'boolean' },
    filter: { type: 'string' },
    match: { type: 'string' },
    sort: { type: 'string' },
    'escape-formulas': { type: 'boolean' },
    replace: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  const parsed = parse(args, help, options, { min: 2, max: 2 });
  if (!parsed) return 0;
  const [connection, table] = parsed.positionals as [string, string];
  const { values: flags } = parsed;
  if (flags.out === undefined) throw new UsageError('--out must name the file to write.', help);
  if (flags.out === '-' && flags.json) throw new UsageError('--json needs a file in --out, not -.', help);
  const format = readFormat(flags.format, flags.out);
  const escapeFormulas = flags['escape-formulas'] ?? false;
  if (escapeFormulas && format !== 'csv')
    throw new UsageError('--escape-formulas needs the format csv.', help);
  const match = flags.match ?? 'all';
  if (match !== 'all' && match !== 'any') throw new UsageError('--match takes all or any.', help);
  const request = {
    table,
    ...(flags.tenant !== undefined && { partition: flags.tenant }),
    ...(flags.columns !== undefined && { columns: flags.columns.split(',').map((name) => name.trim()) }),
    withVectors: flags.vectors ?? false,
    filters: readFilters(flags.filter),
    match: match as 'all' | 'any',
    sort: readSort(flags.sort),
  };
  const cancel = new AbortController();
  const onSignal = () => cancel.abort();
  // Closing the terminal sends SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onSignal);

  let inexact: InexactColumn[] = [];
  const file = await openExportFile(flags.out, { replace: flags.replace ?? false });
  try {
    const rows = await withCore(dist, async (ask) => {
      const { id: connectionId } = pick('connection', await ask('connections.list', null), connection);
      const { signal } = cancel;
      return inJob(ask, { work: 'export', connectionId, table }, cancel, async (job) => {
        const begin = (columns?: string[]) => {
          const wanted = { job: job.id, connectionId, ...request, ...(columns && { columns }) };
          return ask('exports.begin', wanted, signal).catch(unlessAborted(signal));
        };
        let begun = await begin();
        const unsure = begun ? unsureColumns(format, begun.columns, begun.table) : [];
        if (begun && unsure.length > 0) {
          await ask('exports.end', begun.id).catch(() => {});
          begun = await begin(unsure);
        }
        if (begun && unsure.length > 0) {
          inexact = await inexactValues(rowsOf(ask, begun.id, signal), format);
          for (const line of inexactWords(inexact, format)) process.stderr.write(`${printable(line)}\n`);
          begun = signal.aborted ? undefined : await begin();
        }
        if (!begun) return null;
        const asText = inexact.map(({ column }) => column);
        const count = await writeRows(ask, { begun, format, escapeFormulas, asText, file, signal, job });
        if (count === null) return null;
        await file.finish();
        job.end('complete', 'The export is done');
        return count;
      });
    }).finally(() => showProgress(''));
    if (rows === null) {
      const left = flags.out === '-' ? 'The output is incomplete.' : 'No file was written.';
      process.stderr.write(`Cancelled. ${left}\n`);
      return 130;
    }
    const { bytes } = file;
    if (flags.json) printJson({ rows, file: flags.out, format, bytes, inexact });
    else if (flags.out !== '-')
      console.log(printable(`${table}: ${amount(rows, 'row')} in ${flags.out} (${amount(bytes, 'byte')}).`));
    return 0;
  } finally {
    await file.giveUp();
  }
}

/** Returns how many rows it wrote. Stops if the reader of the output is gone. Null if the export was cancelled. */
async function writeRows(
  ask: Ask,
  to: {
    begun: { id: string; columns: string[]; total: number | null };
    format: ExportFormat;
    escapeFormulas: boolean;
    asText: string[];
    file: ExportFile;
    signal: AbortSignal;
    job: CommandJob;
  },
): Promise<number | null> {
  const { begun, escapeFormulas, asText, file, signal, job } = to;
  // A cancel must not wait for the read of the next rows, which may take long.
  signal.addEventListener('abort', () => void ask('exports.end', begun.id).catch(() => {}), { once: true });
  const writer = await exportWriter(to.format, { columns: begun.columns, escapeFormulas, asText });
  let count = 0;
  for (;;) {
    const packed = await ask('exports.read', begun.id).catch(unlessAborted(signal));
    if (packed === undefined || signal.aborted) return null;
    if (packed === null) break;
    const rows = unpackWire(Buffer.from(packed, 'base64')) as RowSet;
    await file.write(await writer.rows(rows, 0, rows.rowCount));
    count += rows.rowCount;
    if (file.isClosed) return count;
    const { total } = begun;
    const words = total === null ? amount(count, 'row') : `${count} of ${amount(total, 'row')}`;
    job.report({ done: count, total, words });
    showProgress(`${words}. Ctrl-C ends the export.`);
  }
  await file.write(await writer.end());
  return count;
}

/** The rows of an export, for the count of values that the format does not keep. */
async function* rowsOf(ask: Ask, id: string, signal: AbortSignal): AsyncGenerator<RowSet> {
  signal.addEventListener('abort', () => void ask('exports.end', id).catch(() => {}), { once: true });
  for (;;) {
    const packed = await ask('exports.read', id).catch(unlessAborted(signal));
    if (packed === undefined || packed === null || signal.aborted) return;
    yield unpackWire(Buffer.from(packed, 'base64')) as RowSet;
  }
}

function unlessAborted(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}

function readFormat(given: string | undefined, out: string): ExportFormat {
  const ending = extname(out).slice(1).toLowerCase();
  const asked = given ?? (ending === 'ndjson' ? 'jsonl' : ending);
  const format = exportFormats.find((one) => one === asked);
  if (format) return format;
  throw new UsageError(
    given === undefined
      ? `Name the format with --format: ${exportFormats.join(', ')}.`
      : `--format takes ${exportFormats.join(', ')}, not "${given}".`,
    help,
  );
}

function readFilters(text: string | undefined): Filter[] {
  if (text === undefined) return [];
  try {
    const filters: unknown = JSON.parse(text);
    // `exports.begin` checks the shape of each filter.
    if (Array.isArray(filters)) return filters as Filter[];
  } catch {
    // The error below also reports text that is not JSON.
  }
  throw new UsageError('--filter wants a JSON array of {"column", "operator", "value"}.', help);
}

function readSort(text: string | undefined): Sort[] {
  return (text?.split(',') ?? []).map((one) => {
    const name = one.trim();
    return name.startsWith('-') ? { column: name.slice(1), order: 'desc' } : { column: name, order: 'asc' };
  });
}
