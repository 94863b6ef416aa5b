import { newConnectionDraft } from '@trestle/core';
import type { Manifest } from '@trestle/driver-kit';
import { askCore } from './ask-core.ts';
import { levelOptions, readLevels } from './connection-flags.ts';
import { absolutePaths, describeFields, fieldOptions, readFieldFlags } from './field-flags.ts';
import { printable, printJson } from './output.ts';
import { parse, UsageError } from './parse.ts';
import type { CommandContext } from './run-command.ts';
import { readSecrets } from './secret-input.ts';

const help = `Usage: trestle connections add --driver ID --name NAME [--FIELD VALUE …] [--json]

  --driver            the kind of database: a driver that is installed or in the registry
  --name              how the connection is shown
  --external-clients  blocked | readOnly (default) | readWrite: what AI clients may do
  --ai-policy         alwaysAllow | askEachTime (default) | never
  --safe-mode         off (default) | confirm | readOnly: for you, in the window
  --reach-limit       rows an AI client may change or delete with one statement (default 100)
  --word              a word such as PROD, shown next to the name and in each dialog that can lose data
  --color             red, orange, yellow, green, teal, blue, purple, pink or #rrggbb
  --secrets           read secrets from standard input even if none is required

A secret is never an argument. At a terminal, Trestle asks for each one. Otherwise it reads standard input: the
required secret, or a JSON object by field, such as {"apiKey": "…", "providerKeys": {"X-OpenAI-Api-Key": "…"}}.

Once an administrator passphrase is set, each level above the default needs it. A script adds its connections first
and sets the passphrase last.`;

const ownOptions = {
  driver: { type: 'string' },
  name: { type: 'string' },
  ...levelOptions,
  secrets: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export async function add({ args, dist }: CommandContext): Promise<number> {
  const drivers = await askCore(dist, 'drivers.list');
  const driver = drivers.find((one) => one.id === namedDriver(args));
  if (!driver) return addWithoutDriver(args, drivers);

  const fullHelp = `${help}\n\nFields of ${driver.name}:\n${describeFields(driver)}`;
  const parsed = parse(args, fullHelp, { ...fieldOptions(driver), ...ownOptions });
  if (!parsed) return 0;
  const values = parsed.values as Record<string, string | boolean | undefined>;
  if (!values.name) throw new UsageError('--name is missing.', help);
  const draft = newConnectionDraft(driver);
  const fields = absolutePaths(driver, { ...draft.fields, ...readFieldFlags(driver, values) }, process.cwd());
  const levels = readLevels(values);
  const secrets = await readSecrets(driver, fields, { always: values.secrets === true });
  const connection = await askCore(dist, 'connections.create', {
    ...draft,
    name: String(values.name),
    fields: { ...fields, ...secrets },
    ...levels,
  });
  if (values.json) printJson(connection);
  else console.log(printable(`Saved "${connection.name}" (${connection.id}).`));
  return 0;
}

/** The driver determines which field flags exist, so `--driver` is read first. */
function namedDriver(args: string[]): string | undefined {
  const index = args.indexOf('--driver');
  if (index >= 0) return args[index + 1];
  return args.find((arg) => arg.startsWith('--driver='))?.slice('--driver='.length);
}

function addWithoutDriver(args: string[], drivers: Manifest[]): number {
  const ids = drivers.map((driver) => driver.id).join(', ');
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`${help}\n\nWith --driver (${ids}) this help lists the driver's fields.`);
    return 0;
  }
  const named = namedDriver(args);
  throw new Error(
    named === undefined
      ? `--driver is missing. The drivers are: ${ids}.`
      : `There is no driver "${named}". There are: ${ids}.`,
  );
}
