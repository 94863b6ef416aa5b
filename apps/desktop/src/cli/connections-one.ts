import { AppError } from '@trestle/core';
import { askCore } from './ask-core.ts';
import { printable, printJson } from './output.ts';
import { parse } from './parse.ts';
import { pick } from './pick.ts';
import type { CommandContext } from './run-command.ts';

const one = { min: 1, max: 1 };

const removeHelp = `Usage: trestle connections remove NAME-or-ID [--json]

Forgets a saved connection and its secrets. The database itself is not touched.`;

export async function remove({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, removeHelp, { json: { type: 'boolean' } }, one);
  if (!parsed) return 0;
  const { id, name } = pick('connection', await askCore(dist, 'connections.list'), parsed.positionals[0]!);
  await askCore(dist, 'connections.remove', id);
  if (parsed.values.json) printJson({ id, name });
  else console.log(printable(`Removed "${name}".`));
  return 0;
}

const testHelp = `Usage: trestle connections test NAME-or-ID [--json]

Connects to the server, asks for its state, and disconnects. Exits with 1 if a step fails.`;

export async function test({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, testHelp, { json: { type: 'boolean' } }, one);
  if (!parsed) return 0;
  const { id, name } = pick('connection', await askCore(dist, 'connections.list'), parsed.positionals[0]!);
  const result = await askCore(dist, 'connections.test', id);
  if (parsed.values.json) {
    printJson({ id, name, ...result });
    return result.ok ? 0 : 1;
  }
  if (!result.ok) throw new AppError(result.error);
  const { product, version } = result.server;
  console.log(printable(`"${name}" works: ${product} ${version}`));
  if (result.warning) console.log(printable(result.warning));
  return 0;
}

const resetHelp = `Usage: trestle connections reset NAME-or-ID [--json]

Undoes every change to the data of a sample that came with Trestle. Other connections are refused.`;

export async function reset({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, resetHelp, { json: { type: 'boolean' } }, one);
  if (!parsed) return 0;
  const { id, name } = pick('connection', await askCore(dist, 'connections.list'), parsed.positionals[0]!);
  await askCore(dist, 'connections.reset', id);
  if (parsed.values.json) printJson({ id, name });
  else console.log(printable(`"${name}" has its original data again.`));
  return 0;
}
