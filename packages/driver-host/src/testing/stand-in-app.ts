import inspector from 'node:inspector';
import { setTimeout } from 'node:timers/promises';
import { openDriverLink } from '../index.ts';
import { scriptLinkOptions } from './script-options.ts';

/** An app with one driver, for what a test must not do to its own process. Arguments: the script, what follows. */
const [script = '', then = 'stay'] = process.argv.slice(2);
const call = { signal: new AbortController().signal, timeoutMs: 20_000 };
const link = await openDriverLink(scriptLinkOptions({}, { log: () => {} }), call);
const running = link.session.run({ text: script, ceiling: 'read', limit: 1 }, call);
if (then === 'inspect') {
  await running;
  // The inspector starts on a thread of its own, a moment after the signal.
  await setTimeout(1_000);
  console.log(JSON.stringify({ inspector: inspector.url()?.split(':')[0] ?? null }));
  await link.close();
} else {
  running.catch(() => {});
  console.log(JSON.stringify({ pid: link.pid }));
  if (then === 'exit') await setTimeout(500).then(() => process.exit(0));
}
