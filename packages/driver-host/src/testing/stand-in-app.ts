import inspector from 'node:inspector';
import { setTimeout } from 'node:timers/promises';
import { openDriverLink } from '../index.ts';
import { scriptLinkOptions } from './script-options.ts';

/**
 * An app with one driver, for things that a test must not do to its own process. Arguments: the driver's script, the
 * app's next step (`inspect`, `signalled`, `stay` or `exit`), and how many tenths of a second the app waits at most for
 * its inspector.
 */
const [script = '', then = 'stay', turns = '0'] = process.argv.slice(2);
const call = { signal: new AbortController().signal, timeoutMs: 20_000 };
const link = await openDriverLink(scriptLinkOptions({}, { log: () => {} }), call);
const running = link.session.run({ text: script, ceiling: 'read', limit: 1 }, call);
if (then === 'inspect' || then === 'signalled') {
  await running.catch(() => {});
  if (then === 'signalled') process.kill(process.pid, 'SIGUSR1');
  // The inspector starts on its own thread, shortly after the signal.
  for (let waits = 0; waits < Number(turns) && !inspector.url(); waits++) await setTimeout(100);
  console.log(JSON.stringify({ inspector: inspector.url()?.split(':')[0] ?? null }));
  await link.close();
} else {
  running.catch(() => {});
  console.log(JSON.stringify({ pid: link.pid }));
  if (then === 'exit') await setTimeout(500).then(() => process.exit(0));
}
