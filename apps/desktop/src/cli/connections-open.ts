import { AppError, type SessionStatus } from '@trestle/core';
import { callRunningApp, notRunning } from '../control/client.ts';
import { dataDirectory } from '../data-directory.ts';
import { askCore } from './ask-core.ts';
import { printable, printJson } from './output.ts';
import { parse } from './parse.ts';
import { pick } from './pick.ts';
import type { CommandContext } from './run-command.ts';

const one = { min: 1, max: 1 };

const connectHelp = `Usage: trestle connections connect NAME-or-ID [--json]

Opens a connection in the running Trestle. Exits with 1 if the connection cannot be opened.`;

export async function connect({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, connectHelp, { json: { type: 'boolean' } }, one);
  if (!parsed) return 0;
  const { id, name } = pick('connection', await askCore(dist, 'connections.list'), parsed.positionals[0]!);
  const status = await ask('sessions.open', id);
  if (status === notRunning) {
    throw new AppError({
      code: 'not_connected',
      message: 'Trestle is not running, so no connection can stay open',
      hint: 'Start Trestle with `trestle start`; `trestle connections test` works without a running Trestle.',
    });
  }
  if (parsed.values.json) printJson({ id, name, state: status.state, server: status.server });
  else console.log(printable(`"${name}" is connected: ${status.server?.product} ${status.server?.version}`));
  return 0;
}

const disconnectHelp = `Usage: trestle connections disconnect NAME-or-ID [--json]

Closes a connection in the running Trestle. The next call to the connection opens it again.`;

export async function disconnect({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, disconnectHelp, { json: { type: 'boolean' } }, one);
  if (!parsed) return 0;
  const { id, name } = pick('connection', await askCore(dist, 'connections.list'), parsed.positionals[0]!);
  const before = await ask('sessions.close', id);
  const wasOpen = before !== notRunning && before.state !== 'disconnected';
  if (parsed.values.json) printJson({ id, name, state: 'disconnected' });
  else console.log(printable(`"${name}" ${wasOpen ? 'is disconnected' : 'was not connected'}.`));
  return 0;
}

/** Asks the running app. Without a running app, there is no session to open or close. */
function ask(operation: 'sessions.open' | 'sessions.close', id: string) {
  return callRunningApp(dataDirectory(), operation, id) as Promise<SessionStatus | typeof notRunning>;
}
