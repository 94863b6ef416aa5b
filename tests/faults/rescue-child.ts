import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Opens a damaged data directory, and kills itself before step number `killAt`. Each call of a function named below is
 * a step, since the call may change a file. Prints the steps if it is not killed.
 */
const [home = '', killAt = ''] = process.argv.slice(2);
const steps: string[] = [];

function counted<Args extends unknown[], Result>(name: string, work: (...args: Args) => Result) {
  return function (this: unknown, ...args: Args): Result {
    if (String(steps.length) === killAt) process.kill(process.pid, 'SIGKILL');
    steps.push(name);
    return work.apply(this, args);
  };
}

for (const name of ['renameSync', 'fsyncSync', 'rmSync', 'openSync'] as const)
  Object.assign(fs, { [name]: counted(name, fs[name] as (...args: unknown[]) => unknown) });
syncBuiltinESMExports();
for (const [owner, name] of [
  [DatabaseSync.prototype, 'exec'],
  [DatabaseSync.prototype, 'close'],
  [StatementSync.prototype, 'run'],
] as const) {
  const work = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
  Reflect.set(owner, name, counted(name, work));
}

const { openOrSetAside } = await import('../../packages/core/src/storage/set-aside.ts');
openOrSetAside(home).storage.close();
console.log(JSON.stringify(steps));
