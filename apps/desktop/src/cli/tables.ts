import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, surveyFile } from '@trestle/core';
import type { Design } from '@trestle/driver-kit';
import { isDesign } from '@trestle/driver-kit/answers';
import { designForFile, inferredLines, newTable } from './new-table.ts';
import { printable, printJson } from './output.ts';
import { parse, UsageError } from './parse.ts';
import { pick } from './pick.ts';
import type { CommandContext } from './run-command.ts';
import { family } from './subcommands.ts';
import { type Ask, withCore } from './with-core.ts';

const help = `Usage: trestle tables create CONNECTION NAME --from FILE|--like TABLE|--from-file FILE [--dry-run]

Creates an empty table or collection, after showing the statements that do it.

  --from FILE       from a definition: for Weaviate the JSON of a collection, as GET /v1/schema/NAME returns it; for
                    SQLite a CREATE TABLE statement. The name in it does not count.
  --like TABLE      with the settings of another table of the connection
  --from-file FILE  for the rows of a CSV or JSON file: Trestle chooses the types from the values, and shows them.
                    \`trestle import\` can create the table and import the rows in one go.
  --dry-run         show the statements, and send none
  --json            print the statements and notes as JSON

If Safe Mode of the connection is Confirm, Trestle asks first. Needs the administrator passphrase, unless AI clients may
write to the connection without a question and nothing is masked.
Exit code: 0 the table exists now, 1 it does not.`;

export const execute = family(help, { create: async () => create });

async function create({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(
    args,
    help,
    {
      from: { type: 'string' },
      like: { type: 'string' },
      'from-file': { type: 'string' },
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
    },
    { min: 2, max: 2 },
  );
  if (!parsed) return 0;
  const [connection, name] = parsed.positionals as [string, string];
  const { from, like, json, 'from-file': rows, 'dry-run': isDry = false } = parsed.values;
  if ([from, like, rows].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('Give one of --from, --like and --from-file.', help);
  const cancel = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancel.abort());
  const { signal } = cancel;
  const print = (line: string) => {
    if (!json) console.log(printable(line));
  };
  const made = await withCore(dist, async (ask) => {
    const target = pick('connection', await ask('connections.list', null), connection);
    const { id: connectionId } = target;
    const design =
      rows === undefined
        ? await designFrom(ask, connectionId, { from, like })
        : await designForRows(ask, resolve(rows), { connectionId, name, print, signal });
    return newTable(ask, target, { ...design, name }, { isDry, print, signal });
  });
  if (json) printJson({ ...made, dryRun: isDry });
  else {
    for (const note of made.notes) process.stderr.write(`${printable(note)}\n`);
    console.log(isDry ? 'Nothing was sent.' : `${printable(name)} was created.`);
  }
  return 0;
}

async function designFrom(
  ask: Ask,
  connectionId: string,
  { from, like }: { from: string | undefined; like: string | undefined },
): Promise<Design> {
  if (from === undefined) return ask('designs.read', { connectionId, source: { table: like! } });
  const definition = await readFile(resolve(from), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AppError({ code: 'invalid_argument', message: `${from} cannot be read: ${error.message}` });
  });
  const design = jsonOrNull(definition);
  if (isDesign(design)) return design;
  return ask('designs.read', { connectionId, source: { definition } });
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function designForRows(
  ask: Ask,
  path: string,
  { print, ...place }: { connectionId: string; name: string; print(line: string): void; signal: AbortSignal },
): Promise<Design> {
  const file = await surveyFile(path, { signal: place.signal });
  const { design, columns } = await designForFile(ask, file, { ...place, map: {} });
  for (const line of inferredLines(columns, design)) print(line);
  return design;
}
