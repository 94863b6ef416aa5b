import { text as textOf } from 'node:stream/consumers';
import { type Connection, isAppError, type QueryOutcome } from '@trestle/core';
import { unpackWire } from '@trestle/driver-kit';
import { confirmLoss } from './confirm-loss.ts';
import { plainText, safeJson, showProgress } from './output.ts';
import { parse, UsageError } from './parse.ts';
import { pick } from './pick.ts';
import { jsonOf, messageLines, outcomeLines } from './query-output.ts';
import type { CommandContext } from './run-command.ts';
import { controllingTerminal, standardInput, type Terminal } from './terminal.ts';
import { type Ask, withCore } from './with-core.ts';

const help = `Usage: trestle query CONNECTION TEXT [--limit N] [--timeout SECONDS] [--json]

Runs one statement of the connection's language: SQL, a GraphQL query, or a line such as "GET /v1/schema". If TEXT
is -, the statement is read from standard input.

  --limit N          rows per result, 1 to 10000 (default 200)
  --timeout SECONDS  at most 300 (default: the statement timeout of the settings)
  --json             print one JSON document: effect, results with columns and rows, messages

Needs the administrator passphrase, unless AI clients may do the same on the connection without a question and nothing
is masked. A destructive statement, or one beyond the reach limit, always needs it. Trestle first says what would be
lost, and runs the statement only after you type yes.
Ctrl-C cancels the statement. Exit code: 0 done, 1 failed, 130 cancelled.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const options = {
    limit: { type: 'string' },
    timeout: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  const parsed = parse(args, help, options, { min: 2, max: 2 });
  if (!parsed) return 0;
  const [connection, given] = parsed.positionals as [string, string];
  const { values: flags } = parsed;
  const limit = wholeNumber('limit', flags.limit ?? '200', 10_000);
  const seconds = flags.timeout === undefined ? undefined : wholeNumber('timeout', flags.timeout, 300);
  const text = given === '-' ? await textOf(process.stdin) : given;
  // Standard input was read to its end, so the person must type elsewhere.
  const waiting = showWaiting();
  const terminal = waiting.before(given === '-' ? controllingTerminal : standardInput);
  const cancel = new AbortController();
  const onSignal = () => cancel.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onSignal);

  try {
    const outcome = await withCore(
      dist,
      async (ask) => {
        const target = pick('connection', await ask('connections.list', null), connection);
        const timeoutMs = seconds === undefined ? {} : { timeoutMs: seconds * 1000 };
        return run(ask, target, { request: { text, limit, ...timeoutMs }, terminal, signal: cancel.signal });
      },
      terminal,
    );
    waiting.end();
    return print(outcome, flags.json ?? false);
  } catch (error) {
    waiting.end();
    if (!cancel.signal.aborted) throw error;
    process.stderr.write('Cancelled. If the statement writes, check whether it was carried out.\n');
    return 130;
  } finally {
    waiting.end();
  }
}

/** Says after a second how to cancel, but not while the person types. */
function showWaiting() {
  let timer: NodeJS.Timeout;
  const begin = () => {
    timer = setTimeout(() => showProgress('Running. Ctrl-C cancels the statement.'), 1000).unref();
  };
  const end = () => {
    clearTimeout(timer);
    showProgress('');
  };
  begin();
  return {
    end,
    before: ({ isThere, use }: Terminal): Terminal => ({
      isThere,
      use(work) {
        end();
        return use(work).finally(begin);
      },
    }),
  };
}

/** Runs the statement. A destructive one runs after the person has confirmed the loss, and only if it is still the same. */
async function run(
  ask: Ask,
  connection: Connection,
  {
    request,
    terminal,
    signal,
  }: {
    request: { text: string; limit: number; timeoutMs?: number };
    terminal: Terminal;
    signal: AbortSignal;
  },
): Promise<QueryOutcome> {
  const base = { connectionId: connection.id, ...request };
  const asPerson = { asPerson: true };
  for (let again = false; ; again = true) {
    const answer = await ask('statements.run', base, signal, asPerson);
    if (answer.state === 'done') return unpacked(answer.outcome);
    const isConfirmed = await confirmLoss({ ...answer, connection, again }, terminal);
    if (!isConfirmed) throw new Error('The statement was not run.');
    try {
      const ran = await ask('statements.run', { ...base, approved: answer.loss }, signal, asPerson);
      if (ran.state === 'done') return unpacked(ran.outcome);
    } catch (error) {
      if (!isAppError(error) || error.code !== 'loss_changed') throw error;
    }
  }
}

function unpacked(packed: string): QueryOutcome {
  return unpackWire(Buffer.from(packed, 'base64')) as QueryOutcome;
}

/** Returns the exit code: a query whose answer has errors has failed, also if some data came with them. */
function print(outcome: QueryOutcome, isJson: boolean): number {
  if (isJson) process.stdout.write(`${safeJson(jsonOf(outcome))}\n`);
  else
    for (const line of outcomeLines(
      outcome,
      process.stdout.isTTY ? process.stdout.columns || undefined : undefined,
    ))
      process.stdout.write(`${line}\n`);
  for (const line of messageLines(outcome)) process.stderr.write(`${plainText(line)}\n`);
  return outcome.messages.some(({ level }) => level === 'error') ? 1 : 0;
}

function wholeNumber(flag: string, text: string, most: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw new UsageError(`--${flag} takes a whole number between 1 and ${most}, not "${text}".`, help);
}
