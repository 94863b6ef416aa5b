import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { packWire } from '@trestle/driver-kit';
import { enterWindow } from '../tests/enter-window.ts';
import { goals } from './goals.ts';
import type { Benchmark, Figure, Goal } from './measure.ts';
import { type Amount, amountOf, driverHostsOf, needProc } from './process-memory.ts';
import { post, sampleConnection, withApp, withHome } from './trestle.ts';

const rounds = 3;
/** Time for garbage collection after the page was read. */
const settleMs = 5000;

/** The idle memory of the app and of the driver host of one open connection, compared with a bare Node process. */
export const memory: Benchmark = {
  name: 'memory',
  async run() {
    needProc();
    const taken: Held[] = [];
    for (let round = 0; round < rounds; round++) taken.push(await withHome(measureOnce));
    const line = (
      name: string,
      subject: (held: Held) => number,
      baseline: (held: Held) => number,
      goal?: Goal,
    ): Figure => ({
      name: `idle memory, ${name}`,
      unit: 'MB',
      subject: taken.map(subject),
      baseline: taken.map(baseline),
      against: 'bare node',
      ...(goal && { goal }),
    });
    return [
      line(
        'app (RSS)',
        ({ app }) => app.rss,
        ({ bare }) => bare.rss,
        goals.idleApp,
      ),
      line(
        'driver host (RSS)',
        ({ host }) => host.rss,
        ({ bare }) => bare.rss,
      ),
      line(
        'app + driver host (RSS)',
        ({ app, host }) => app.rss + host.rss,
        ({ bare }) => bare.rss,
        goals.idleAppAndHost,
      ),
      line(
        'app + driver host (PSS)',
        ({ app, host }) => app.pss + host.pss,
        ({ bare }) => bare.pss,
      ),
    ];
  },
};

interface Held {
  app: Amount;
  host: Amount;
  bare: Amount;
}

async function measureOnce(home: string): Promise<Held> {
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  try {
    return await withApp(home, async (app) => {
      await browseSample(home, app.link);
      await delay(settleMs);
      const [host, ...others] = driverHostsOf(app.pid);
      if (!host || others.length > 0) throw new Error('There is no driver host, or more than one');
      return { app: amountOf(app.pid), host: amountOf(host), bare: amountOf(bare.pid!) };
    });
  } finally {
    const gone = once(bare, 'exit');
    bare.kill();
    await gone;
  }
}

async function browseSample(home: string, link: string): Promise<void> {
  const { origin, headers } = await enterWindow(link);
  const request = { table: 'elements', filters: [], match: 'all', sort: [], limit: 100, offset: 0 };
  const body = packWire({ connectionId: await sampleConnection(home), request });
  await post(new URL('/data/browse', origin), { headers, body });
}
