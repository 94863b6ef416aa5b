import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ImportedConnection } from '@trestle/core';
import { z } from 'zod';
import { connectionDraft } from '../api/schemas.ts';
import { askCore } from './ask-core.ts';
import { absolutePaths } from './field-flags.ts';
import { printable, printJson } from './output.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const importHelp = `Usage: trestle connections import FILE [--replace] [--dry-run] [--json]

Saves the connections of a file (- is standard input):

  {"connections": [{"name": "…", "driver": "sqlite", "fields": {"file": "…"},
                    "externalClients": "readOnly", "aiPolicy": "askEachTime"}]}

Secrets among the fields go to the keychain. All are saved, or none. A path is taken from the file's folder.

  --replace   put a connection in the place of the one with the same name. Where it leads elsewhere than before, its
              stored secrets are dropped. Letting clients do more than before wants the administrator passphrase.
  --dry-run   say what would change, and change nothing`;

/** What may be left out has the defaults of the form. */
const importShape = z.strictObject({
  connections: z.array(
    connectionDraft.extend({
      fields: connectionDraft.shape.fields.default({}),
      externalClients: connectionDraft.shape.externalClients.default('readOnly'),
      aiPolicy: connectionDraft.shape.aiPolicy.default('askEachTime'),
      safeMode: connectionDraft.shape.safeMode.default('off'),
      color: connectionDraft.shape.color.default(null),
    }),
  ),
});

export async function importFile({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(
    args,
    importHelp,
    { replace: { type: 'boolean' }, 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
    { min: 1, max: 1 },
  );
  if (!parsed) return 0;
  const file = parsed.positionals[0]!;
  const { connections } = await readImport(file);
  const drivers = new Map((await askCore(dist, 'drivers.list')).map((driver) => [driver.id, driver]));
  const folder = file === '-' ? process.cwd() : dirname(file);
  const saved = await askCore(dist, 'connections.import', {
    connections: connections.map((draft) => {
      const driver = drivers.get(draft.driver);
      return driver ? { ...draft, fields: absolutePaths(driver, draft.fields, folder) } : draft;
    }),
    replace: parsed.values.replace ?? false,
    dryRun: parsed.values['dry-run'] ?? false,
  });
  if (parsed.values.json) printJson(saved);
  else for (const one of saved) for (const line of importedLines(one)) console.log(printable(line));
  return 0;
}

function importedLines({ name, outcome, changes, raises, droppedSecrets }: ImportedConnection): string[] {
  const dropped = droppedSecrets.map(
    (label) => `${label}: dropped, since the connection leads elsewhere now. Enter it again.`,
  );
  const widened = raises.length > 0 ? ['Clients may do more here than before.'] : [];
  return [
    `${outcomes[outcome]} "${name}"`,
    ...[...changes, ...dropped, ...widened].map((line) => `  ${line}`),
  ];
}

const outcomes = { created: 'New      ', replaced: 'Replaced ', unchanged: 'Unchanged' };

const exportHelp = `Usage: trestle connections export

Prints the saved connections as a file for \`trestle connections import\`: everything but secrets. Samples are left out.`;

export async function exportAll({ args, dist }: CommandContext): Promise<number> {
  if (!parse(args, exportHelp, { json: { type: 'boolean' } })) return 0;
  const connections = (await askCore(dist, 'connections.list')).filter((connection) => !connection.sample);
  printJson({
    // All but these, so that a level or limit that is added later is never left out.
    connections: connections.map(
      ({
        id: _id,
        storedSecrets: _secrets,
        sample: _sample,
        createdAt: _created,
        updatedAt: _updated,
        ...kept
      }) => kept,
    ),
  });
  return 0;
}

async function readImport(file: string): Promise<z.infer<typeof importShape>> {
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8').catch(() => null);
  if (content === null) throw new Error(`${file} cannot be read.`);
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`);
  }
  const result = importShape.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new Error(`${file}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}
