import { dataDirectory } from '../data-directory.ts';
import { examineApp } from '../examine-app.ts';
import { askCore } from './ask-core.ts';
import { printJson } from './output.ts';
import { asTyped } from './own-command.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle doctor [--json]

Checks the parts that Trestle and its AI clients need: the data directory, the app, its ports, the secrets, the
drivers, and the path of a client's call. Says what to do about each problem. Does not start Trestle.
Exit code: 0 no problem (Trestle may be stopped), 1 a problem was found.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, help, { json: { type: 'boolean' } });
  if (!parsed) return 0;
  const checks = await examineApp({
    dist,
    dataDirectory: dataDirectory(),
    look: () => askCore(dist, 'doctor.look'),
  });
  const ok = !checks.some((check) => check.ok === false);
  if (parsed.values.json) printJson({ ok, checks });
  else {
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, ok: one, detail } of checks) {
      const mark = one === null ? '–' : one ? 'ok' : 'FAILED';
      console.log(`${mark.padEnd(6)}  ${name.padEnd(width)}  ${asTyped(detail)}`);
    }
    const isStopped = checks.some((check) => check.name === 'app' && check.ok === null);
    const well = isStopped
      ? 'Nothing is wrong. Trestle is stopped: the first call of a client starts it.'
      : 'All is well.';
    console.log(ok ? `\n${well}` : '\nSomething is wrong: see FAILED above.');
  }
  return ok ? 0 : 1;
}
