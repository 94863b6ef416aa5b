import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callRunningApp } from '../apps/desktop/src/control/client.ts';
import { goals } from './goals.ts';
import { type Benchmark, inTurns } from './measure.ts';
import { environment, root, untilRunning, withHome } from './trestle.ts';

/** The time of `npm start`, with everything installed and built, until the app prints its address. */
export const npmStart: Benchmark = {
  name: 'npm-start',
  run: () =>
    withHome(async (home) => {
      writeFileSync(join(home, 'package.json'), JSON.stringify({ scripts: { nothing: 'node -e 0' } }));
      const taken = await inTurns(
        { rounds: 7 },
        {
          start: () => start(home),
          nothing: async () => {
            const started = performance.now();
            await once(npm(['run', 'nothing'], home, home), 'exit');
            return performance.now() - started;
          },
        },
      );
      return [
        {
          name: 'second npm start, ready',
          unit: 'ms',
          subject: taken.start,
          baseline: taken.nothing,
          against: 'npm run of node -e 0',
          goal: goals.npmStart,
        },
      ];
    }),
};

async function start(home: string): Promise<number> {
  const started = performance.now();
  const child = npm(['start', '--', '--no-window'], root, home);
  let built = false;
  child.stdout?.on('data', (chunk) => {
    built ||= /^(Building|Installing) /m.test(String(chunk));
  });
  const gone = once(child, 'exit');
  await untilRunning(child);
  const taken = performance.now() - started;
  // A signal would end npm before the app, and the app could still answer the next start. So a command stops the app.
  await callRunningApp(home, 'stop');
  await gone;
  // If sources have changed since the last build, the start includes a build. Then measure another start.
  return built ? start(home) : taken;
}

function npm(args: string[], cwd: string, home: string): ChildProcess {
  const shell = process.platform === 'win32';
  return spawn('npm', args, {
    cwd,
    shell,
    env: { ...environment(home), npm_config_update_notifier: 'false' },
  });
}
