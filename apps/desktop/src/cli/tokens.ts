import { AppError } from '@trestle/core';
import { askCore } from './ask-core.ts';
import { printJson, printTable } from './output.ts';
import { asTyped } from './own-command.ts';
import { parse, UsageError } from './parse.ts';
import { pick } from './pick.ts';
import type { CommandContext } from './run-command.ts';
import { family } from './subcommands.ts';
import { expiryOf } from './token-expiry.ts';

const help = `Usage: trestle tokens create|list|revoke

  create --name NAME [--permission readOnly|readWrite|fullAccess]
  list [--json]
  revoke NAME-or-ID

Each subcommand takes --help.`;

export const execute = family(help, {
  create: async () => create,
  list: async () => list,
  revoke: async () => revoke,
});

const createHelp = `Usage: trestle tokens create --name NAME [options]

Creates a token for an AI client that speaks HTTP, and prints it once. A fullAccess token needs the administrator
passphrase.

  --permission    readOnly (default) | readWrite | fullAccess
  --connections   names or ids, separated by commas; without it, every connection
  --expires       a time such as 2030-01-31T00:00:00Z, or a span such as 12h or 30d (default: never)
  --json          print the token and what it may do as JSON`;

async function create({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(
    args,
    createHelp,
    {
      name: { type: 'string' },
      permission: { type: 'string', default: 'readOnly' },
      connections: { type: 'string' },
      expires: { type: 'string' },
      json: { type: 'boolean' },
    },
    { min: 0, max: 1 },
  );
  if (!parsed) return 0;
  const { values } = parsed;
  const name = values.name ?? parsed.positionals[0];
  if (!name) throw new UsageError('--name is missing.', createHelp);
  const permission = (['readOnly', 'readWrite', 'fullAccess'] as const).find(
    (one) => one === values.permission,
  );
  if (!permission) throw new Error('--permission is one of readOnly, readWrite, fullAccess.');
  const allowlist = values.connections === undefined ? null : await connectionIds(dist, values.connections);
  const made = await askCore(dist, 'tokens.create', {
    name,
    permission,
    allowlist,
    expiresAt: expiryOf(values.expires),
  });
  if (values.json) printJson(made);
  else {
    console.log(made.secret);
    process.stderr.write('Copy the token now. It is not shown again.\n');
  }
  return 0;
}

async function connectionIds(dist: string, list: string): Promise<string[]> {
  const connections = await askCore(dist, 'connections.list');
  return list.split(',').map((one) => pick('connection', connections, one.trim()).id);
}

const listHelp = `Usage: trestle tokens list [--json]

Lists the tokens, never their text.`;

async function list({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, listHelp, { json: { type: 'boolean' } });
  if (!parsed) return 0;
  const tokens = await askCore(dist, 'tokens.list');
  if (parsed.values.json) printJson(tokens);
  else if (tokens.length === 0)
    console.log(asTyped('There are no tokens. `trestle tokens create` makes one.'));
  else {
    printTable(
      ['name', 'permission', 'connections', 'expires', 'last used', 'state', 'id'],
      tokens.map((token) => [
        token.name,
        token.permission,
        token.allowlist ? String(token.allowlist.length) : 'all',
        token.expiresAt ?? 'never',
        token.lastUsedAt ?? 'never',
        token.revokedAt ? 'revoked' : isPast(token.expiresAt) ? 'expired' : 'valid',
        token.id,
      ]),
    );
  }
  return 0;
}

const revokeHelp = `Usage: trestle tokens revoke NAME-or-ID [--json]

Ends a token and its running calls.`;

async function revoke({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, revokeHelp, { json: { type: 'boolean' } }, { min: 1, max: 1 });
  if (!parsed) return 0;
  const named = parsed.positionals[0]!;
  const tokens = await askCore(dist, 'tokens.list');
  const meant = tokens.filter((token) => token.id === named || token.name === named);
  if (meant.length > 0 && meant.every(({ revokedAt }) => revokedAt)) {
    throw new AppError({ code: 'conflict', message: `The token "${named}" is already revoked` });
  }
  const valid = tokens.filter(({ revokedAt }) => !revokedAt);
  const { id, name } = pick('token', valid, named);
  await askCore(dist, 'tokens.revoke', id);
  if (parsed.values.json) printJson({ id, name });
  else console.log(`Revoked "${name}".`);
  return 0;
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now();
}
