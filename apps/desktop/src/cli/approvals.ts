import { AppError, type PendingApproval } from '@trestle/core';
import { callRunningApp, notRunning } from '../control/client.ts';
import { openDataDirectory } from '../data-directory.ts';
import { withPassphrase } from './ask-core.ts';
import { printJson } from './output.ts';
import { asTyped } from './own-command.ts';
import { parse, UsageError } from './parse.ts';
import { questionLines } from './question-lines.ts';
import type { CommandContext } from './run-command.ts';
import { AppGone } from './with-core.ts';

const help = `Usage: trestle approvals [--json]

Lists the questions of AI clients that wait for you, with their ids. \`trestle approvals allow ID\` and
\`trestle approvals refuse ID\` answer one.`;

export async function execute({ args }: CommandContext): Promise<number> {
  const [name, ...rest] = args;
  if (name === 'allow') return allow(rest);
  if (name === 'refuse') return refuse(rest);
  if (name !== undefined && name !== 'list' && !name.startsWith('-')) {
    throw new UsageError(`There is no subcommand \`${name}\`.`, help);
  }
  const parsed = parse(name === 'list' ? rest : args, help, { json: { type: 'boolean' } });
  if (!parsed) return 0;
  const waiting = await waitingQuestions();
  if (parsed.values.json) printJson(waiting);
  else if (waiting.length === 0) console.log('No question waits.');
  else console.log(waiting.map((one) => asTyped(questionLines(one, new Date()))).join('\n\n'));
  return 0;
}

const allowHelp = `Usage: trestle approvals allow ID [--once] [--json]

Shows the question, and allows it. You type the administrator passphrase at the terminal. A client that asks for access
may use the connection until Trestle stops. A statement that destroys data may run once, with the numbers shown. An
address for stored keys holds until you withdraw it.

  --once   the client may use the connection for this request only
  --json   print the answered question as JSON`;

async function allow(args: string[]): Promise<number> {
  const parsed = parse(
    args,
    allowHelp,
    { once: { type: 'boolean' }, json: { type: 'boolean' } },
    { min: 1, max: 1 },
  );
  if (!parsed) return 0;
  const question = await findQuestion(parsed.positionals[0]!);
  // The id alone says little. The user sees the question before the prompt for the passphrase.
  process.stderr.write(`${questionLines(question, new Date(), { withCommands: false })}\n`);
  if (parsed.values.once && question.kind === 'endpoint') {
    throw new UsageError('The approval of an address cannot count for one request only.', allowHelp);
  }
  await answer(question, parsed.values.once ? 'allowOnce' : 'allow');
  if (parsed.values.json) printJson(question);
  else console.log(question.clientWaits ? 'Allowed.' : 'Allowed. The next try of the client goes through.');
  return 0;
}

const refuseHelp = `Usage: trestle approvals refuse ID [--json]

Refuses a question. This needs no passphrase. The refusal holds for one minute.`;

async function refuse(args: string[]): Promise<number> {
  const parsed = parse(args, refuseHelp, { json: { type: 'boolean' } }, { min: 1, max: 1 });
  if (!parsed) return 0;
  const question = await findQuestion(parsed.positionals[0]!);
  await answer(question, 'refuse');
  if (parsed.values.json) printJson(question);
  else console.log('Refused.');
  return 0;
}

async function answer({ id }: PendingApproval, how: 'allow' | 'allowOnce' | 'refuse'): Promise<void> {
  await withPassphrase(async (passphrase) => {
    const input = { id, answer: how };
    const done = await callRunningApp(openDataDirectory(), 'approvals.answer', input, { passphrase });
    if (done === notRunning) throw new AppGone({ code: 'internal', message: 'Trestle stopped meanwhile' });
  });
}

async function findQuestion(typed: string): Promise<PendingApproval> {
  const found = (await waitingQuestions()).find(({ id, shortId }) =>
    [id, shortId].includes(typed.toLowerCase()),
  );
  if (found) return found;
  throw new AppError({
    code: 'not_found',
    message: `No question with the id ${typed} waits: it was answered, it was withdrawn, or it timed out`,
    hint: '`trestle approvals` lists the questions.',
  });
}

/** Only the running app has questions: they end with it. */
async function waitingQuestions(): Promise<PendingApproval[]> {
  const waiting = await callRunningApp(openDataDirectory(), 'approvals.list');
  return waiting === notRunning ? [] : (waiting as PendingApproval[]);
}
