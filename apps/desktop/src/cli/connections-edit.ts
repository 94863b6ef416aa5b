import { AppError, type Connection, isAppError } from '@trestle/core';
import { type ConnectionFields, isSecretField, type Manifest, type ManifestField } from '@trestle/driver-kit';
import { askCore } from './ask-core.ts';
import { levelOptions, readLevels } from './connection-flags.ts';
import { absolutePaths, describeFields, fieldOptions, readFieldFlags } from './field-flags.ts';
import { printable, printJson } from './output.ts';
import { parse, UsageError } from './parse.ts';
import { pick } from './pick.ts';
import type { CommandContext } from './run-command.ts';
import { readSecrets } from './secret-input.ts';

const help = `Usage: trestle connections edit NAME-or-ID [--FIELD VALUE …] [--secrets] [--json]

Changes the settings that you name, and no others.

  --name              another name
  --external-clients  blocked | readOnly | readWrite
  --ai-policy         alwaysAllow | askEachTime | never
  --safe-mode         off | confirm | readOnly
  --reach-limit       rows an AI client may change or delete with one statement
  --word              a word such as PROD, shown next to the name and in each dialog that can lose data
  --color             red, orange, yellow, green, teal, blue, purple, pink or #rrggbb
  --secrets           enter the secrets again. At a terminal, Trestle asks for each one. Otherwise it reads standard
                      input: the required secret, or a JSON object by field, such as {"apiKey": "…"}.

Giving clients more rights needs the administrator passphrase. Once one is set, so does a change to a field of the
driver while a level is above the default. The change may drop the stored secrets: enter them again with --secrets.`;

const ownOptions = {
  name: { type: 'string' },
  ...levelOptions,
  secrets: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export async function edit({ args, dist }: CommandContext): Promise<number> {
  const [named, ...rest] = args;
  if (named === '--help' || named === '-h') {
    console.log(`${help}\n\nFor the fields of the driver: trestle connections edit NAME-or-ID --help`);
    return 0;
  }
  if (named === undefined || named.startsWith('-')) {
    throw new UsageError('Name the connection first.', help);
  }
  const before = pick('connection', await askCore(dist, 'connections.list'), named);
  const driver = (await askCore(dist, 'drivers.list')).find(({ id }) => id === before.driver);
  if (!driver) throw new Error(`The driver "${before.driver}" of "${before.name}" is not installed.`);

  const fullHelp = `${help}\n\nFields of ${driver.name}:\n${describeFields(driver)}`;
  const parsed = parse(rest, fullHelp, { ...fieldOptions(driver), ...ownOptions });
  if (!parsed) return 0;
  const values = parsed.values as Record<string, string | boolean | undefined>;
  const { connection, secrets } = await change(dist, { before, driver, values });
  if (values.json) printJson(connection);
  else
    for (const line of [
      `Saved "${connection.name}" (${connection.id}).`,
      ...droppedSecrets(driver, before, connection).map(({ id, label }) =>
        id in secrets ? `  ${label}: removed.` : `  ${label}: dropped. Enter it again with --secrets.`,
      ),
    ])
      console.log(printable(line));
  return 0;
}

/**
 * The fields whose secret is no longer stored. Without the administrator passphrase, a changed field drops each stored
 * secret that is not entered again.
 */
function droppedSecrets(driver: Manifest, before: Connection, after: Connection): ManifestField[] {
  return driver.fields.filter(
    ({ id }) => before.storedSecrets.includes(id) && !after.storedSecrets.includes(id),
  );
}

async function change(
  dist: string,
  {
    before,
    driver,
    values,
  }: { before: Connection; driver: Manifest; values: Record<string, string | boolean | undefined> },
): Promise<{ connection: Connection; secrets: ConnectionFields }> {
  const given = absolutePaths(driver, readFieldFlags(driver, values), process.cwd());
  const levels = readLevels(values);
  const isChange =
    values.name !== undefined || values.secrets || Object.keys({ ...given, ...levels }).length > 0;
  if (!isChange) throw new UsageError('Name at least one thing to change.', help);
  const { id, storedSecrets, sample, createdAt, updatedAt, ...draft } = before;
  const fields = { ...before.fields, ...given };
  const secrets = values.secrets ? await readSecrets(driver, fields, { always: true }) : {};
  try {
    const connection = await askCore(dist, 'connections.update', {
      id,
      draft: {
        ...draft,
        ...(values.name !== undefined && { name: String(values.name) }),
        ...levels,
        fields: { ...fields, ...secrets },
      },
    });
    return { connection, secrets };
  } catch (error) {
    const isMissingSecret =
      isAppError(error) &&
      driver.fields.some((field) => isSecretField(field) && error.message === `${field.label} is required`);
    if (!isMissingSecret || storedSecrets.length === 0 || values.secrets) throw error;
    const { code, message } = error;
    const hint = 'A change to a field drops the stored secrets: enter them again with --secrets.';
    throw new AppError({ code, message, hint });
  }
}
