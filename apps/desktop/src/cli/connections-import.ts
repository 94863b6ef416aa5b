import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ImportedConnection } from '@trestle/core';
import { type ConnectionFile, readConnectionFile } from '../api/connection-file.ts';
import { askCore } from './ask-core.ts';
import { absolutePaths } from './field-flags.ts';
import { printable, printJson } from './output.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';
import { controllingTerminal } from './terminal.ts';

const importHelp = `Usage: trestle connections import FILE [--replace] [--dry-run] [--json]

Saves the connections of a file (- is standard input):

  {"connections": [{"name": "…", "driver": "sqlite", "fields": {"file": "…"},
                    "externalClients": "readOnly", "aiPolicy": "askEachTime"}]}

All connections of the file are saved, or none. Secrets among the fields go to the keychain, or to an encrypted
file if there is no keychain. A relative path starts at the file's folder, or at the current
folder for standard input.

  --replace   replace the connection that has the same name. If the driver or a field changes, the stored
              secrets are dropped. Giving clients more rights needs the administrator passphrase.
  --dry-run   say what would change and what needs the passphrase, and change nothing

Once an administrator passphrase is set, each level above the default needs it on a connection that is new or whose
driver or field changes.`;

export async function importFile({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(
    args,
    importHelp,
    { replace: { type: 'boolean' }, 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
    { min: 1, max: 1 },
  );
  if (!parsed) return 0;
  const file = parsed.positionals[0]!;
  const isDry = parsed.values['dry-run'] ?? false;
  const { connections } = await readImport(file);
  const drivers = new Map((await askCore(dist, 'drivers.list')).map((driver) => [driver.id, driver]));
  const folder = file === '-' ? process.cwd() : dirname(file);
  const saved = await askCore(
    dist,
    'connections.import',
    {
      connections: connections.map((draft) => {
        const driver = drivers.get(draft.driver);
        return driver ? { ...draft, fields: absolutePaths(driver, draft.fields, folder) } : draft;
      }),
      replace: parsed.values.replace ?? false,
      dryRun: isDry,
    },
    file === '-' ? controllingTerminal : undefined,
  );
  if (parsed.values.json) {
    printJson(saved);
    return 0;
  }
  const isGuarded = isDry && (await askCore(dist, 'passphrase.isSet'));
  for (const one of saved) for (const line of importedLines(one, isGuarded)) console.log(printable(line));
  if (isDry) console.log('Nothing was saved.');
  return 0;
}

/** `isGuarded`: a dry run also says what needs the administrator passphrase. */
function importedLines(
  { name, outcome, changes, raises, aboveDefault, droppedSecrets }: ImportedConnection,
  isGuarded: boolean,
): string[] {
  const head = `${outcomes[outcome]} "${name}"`;
  const needed = isGuarded ? aboveDefault : [];
  const needs = needed.map((level) => `  Needs the administrator passphrase: ${level}`);
  if (outcome === 'created') return [head, ...needs];
  const dropped = droppedSecrets.map(
    (label) => `${label}: dropped, because the driver or a field changes. Enter it again.`,
  );
  const widened = raises.length > 0 ? ['Clients may do more here than before.'] : [];
  return [head, ...[...changes, ...dropped, ...widened].map((line) => `  ${line}`), ...needs];
}

const outcomes = { created: 'New      ', replaced: 'Replaced ', unchanged: 'Unchanged' };

async function readImport(file: string): Promise<ConnectionFile> {
  if (file === '-') return readConnectionFile(await text(process.stdin), 'Standard input');
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOENT'
        ? `There is no file ${resolve(file)}.`
        : `${resolve(file)} cannot be read: ${error.code}.`,
    );
  });
  return readConnectionFile(content, file);
}
