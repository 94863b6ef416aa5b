import { setTimeout as delay } from 'node:timers/promises';
import type { CopyDetail, CopyReport, JobOutcome } from '@trestle/core';
import { amount } from '@trestle/driver-kit';
import { printable, printJson, showProgress } from './output.ts';
import { parse } from './parse.ts';
import { pick } from './pick.ts';
import type { CommandContext } from './run-command.ts';
import { withCore } from './with-core.ts';

const help = `Usage: trestle copy CONNECTION TABLE NAME [--to CONNECTION] [--continue] [--json]

Copies a table or collection under another name, or to another connection of the same driver: its settings, its rows
with their ids and vectors, and its tenants. References point to the same rows as before. At the end the rows are
counted, and some are read on both sides and compared.

  --to CONNECTION  the connection that gets the copy (default: the connection of TABLE)
  --continue       continue an interrupted copy. Rows that the copy already has do not change.
  --json           print the report as JSON

Needs the administrator passphrase, unless AI clients may write to both connections without a question and neither
masks anything. Ctrl-C ends the copy after the rows that were sent.
Exit code: 0 all rows were copied, 1 some were not or differ, 130 cancelled.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const options = {
    to: { type: 'string' },
    continue: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  const parsed = parse(args, help, options, { min: 3, max: 3 });
  if (!parsed) return 0;
  const [connection, table, name] = parsed.positionals as [string, string, string];
  const { values: flags } = parsed;
  let isCancelled = false;
  const onSignal = () => {
    isCancelled = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const { outcome, report } = await withCore(
    dist,
    async (ask): Promise<{ outcome: JobOutcome; report: CopyReport }> => {
      const list = await ask('connections.list', null);
      const from = pick('connection', list, connection);
      const to = flags.to === undefined ? from : pick('connection', list, flags.to);
      const { id } = await ask('copies.begin', {
        from: { connectionId: from.id, table },
        to: { connectionId: to.id, table: name },
        goOn: flags.continue ?? false,
      });
      let hasAsked = false;
      for (;;) {
        const { outcome, progress, detail } = await ask('jobs.get', id);
        if (outcome) return { outcome, report: (detail as CopyDetail).report! };
        if (isCancelled && !hasAsked) await ask('jobs.cancel', id);
        hasAsked ||= isCancelled;
        showProgress(`${progress.words}. Ctrl-C ends the copy.`);
        await delay(200);
      }
    },
  ).finally(() => showProgress(''));
  if (flags.json) printJson(report);
  else
    for (const line of lines(report, { name, goOn: flags.continue ?? false })) console.log(printable(line));
  if (outcome.how === 'cancelled') return 130;
  return outcome.how === 'complete' ? 0 : 1;
}

function lines(report: CopyReport, { name, goOn }: { name: string; goOn: boolean }): string[] {
  const {
    copied,
    existing,
    failed,
    unknown,
    total,
    inTarget,
    compared,
    different,
    unavailable,
    error,
    ended,
    problems,
  } = report;
  const left = total - copied - existing - failed - unknown;
  // There is something to continue if rows were counted, or if the copy stopped because its target exists.
  const hasBegun = total > 0 || (error?.code === 'conflict' && !goOn);
  const parts = [
    `${copied} copied`,
    ...(existing > 0 ? [`${existing} ${existing === 1 ? 'was' : 'were'} there already`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unknown > 0 ? [`${unknown} sent without an answer`] : []),
    // Not listed after a complete copy: the source may have changed since its rows were counted.
    ...(ended !== 'complete' && left > 0 ? [`${left} not copied`] : []),
  ];
  return [
    ...problems,
    `${name}: ${parts.join(', ')} (${amount(total, 'row')}).`,
    ...(error ? [`Stopped: ${error.message}.${error.hint ? ` ${error.hint}` : ''}`] : []),
    ...(ended === 'cancelled' ? ['Cancelled.'] : []),
    ...(ended === 'complete'
      ? [
          `Checked: ${amount(inTarget, 'row')} in ${name}; ${compared} compared, ${different.length === 1 ? '1 differs' : `${different.length} differ`}.`,
        ]
      : []),
    ...((ended !== 'complete' && hasBegun) || unknown > 0
      ? ['Run the same command with --continue: rows that the copy already has do not change.']
      : []),
    ...(different.length > 0 ? [`Rows that differ: ${different.slice(0, 10).join('; ')}`] : []),
    ...(unavailable.length > 0
      ? [`Tenants left out, since they cannot be read now: ${unavailable.join(', ')}`]
      : []),
  ];
}
