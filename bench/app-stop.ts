import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { packWire } from '@trestle/driver-kit';
import { driverHosts } from '../tests/e2e/app.ts';
import { enterWindow } from '../tests/enter-window.ts';
import { goals } from './goals.ts';
import { type Benchmark, timed } from './measure.ts';
import { type RunningApp, sampleConnection, startApp, withHome } from './trestle.ts';

const rounds = 20;
const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/**
 * The time from SIGTERM until the app has ended, at ugly moments and while idle. The first figure is the worst stop, the
 * second figure all stops.
 */
export const appStop: Benchmark = {
  name: 'app-stop',
  run: () =>
    withHome(async (home) => {
      const ugly: number[] = [];
      const idle: number[] = [];
      const moments = Object.values(uglyMoments);
      for (let round = 0; round < rounds; round++) {
        ugly.push(await stopAt(home, moments[round % moments.length]!));
        idle.push(await stopAt(home, async () => {}));
      }
      return [
        {
          name: `the worst of ${rounds} stops at an ugly moment`,
          unit: 'ms',
          subject: [Math.max(...ugly)],
          baseline: [Math.max(...idle)],
          against: 'the worst stop with nothing to do',
          goal: goals.appStop,
        },
        {
          name: 'a stop at an ugly moment',
          unit: 'ms',
          subject: ugly,
          baseline: idle,
          against: 'a stop with nothing to do',
        },
      ];
    }),
};

type Moment = (window: Awaited<ReturnType<typeof openWindow>>, app: RunningApp) => Promise<void>;

const uglyMoments: Record<string, Moment> = {
  'an endless statement': async (window, app) => {
    window.data('runQuery', { request: { text: endless, limit: 1 } });
    await untilHost(app);
  },
  'an export that nobody fetches': async (window) => {
    await window.data('export', {
      request: { table: 'elements', filters: [], match: 'all', sort: [], columns: ['name'] },
      rows: { kind: 'all' },
      format: 'csv',
      escapeFormulas: false,
    });
  },
  'a driver that hangs in a save and a statement': async (window, app) => {
    await window.data('runQuery', { request: { text: 'SELECT 1', limit: 1 } });
    for (const pid of driverHosts(app.pid)) process.kill(pid, 'SIGSTOP');
    const changes = [{ kind: 'insert', id: '1', values: {} }];
    const commands = [{ kind: 'stage', steps: [{ id: '1', kind: 'insert', row: '1', values: {} }] }];
    const edits = { table: 'elements', since: null, window: randomUUID(), first: 1, commands };
    await window.data('syncStaged', { request: edits });
    window.data('applyChanges', { id: randomUUID(), request: { table: 'elements', changes } });
    window.data('runQuery', { request: { text: endless, limit: 1 } });
    await delay(50);
  },
  'an open window and a driver that starts': async (window) => {
    void window.events();
    window.data('runQuery', { request: { text: 'SELECT 1', limit: 1 } });
    await delay(10);
  },
};

async function stopAt(home: string, moment: Moment): Promise<number> {
  const app = await startApp(home);
  await moment(await openWindow(app, await sampleConnection(home)), app);
  return timed(() => app.stop());
}

async function openWindow({ link }: RunningApp, connectionId: string) {
  const { origin, headers } = await enterWindow(link);
  // The app may exit before it answers: ignore errors.
  const post = (path: string, body: BodyInit) => {
    const type = { 'content-type': 'application/octet-stream' };
    return fetch(`${origin}${path}`, { method: 'POST', headers: { ...headers, ...type }, body }).catch(
      () => null,
    );
  };
  return {
    data: (route: string, body: object) => post(`/data/${route}`, packWire({ connectionId, ...body })),
    events: () => fetch(`${origin}/events`, { headers }).catch(() => null),
  };
}

async function untilHost({ pid }: RunningApp): Promise<void> {
  while (driverHosts(pid).length === 0) await delay(20);
}
