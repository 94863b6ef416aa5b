import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { lockBuild } from './build-lock.ts';

let path: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  path = join(folder, '.lock');
});

/** Above the largest process id of Linux. */
const deadPid = '4999999';

test('a new lock whose writer has not written its process id yet is not taken over', async () => {
  writeFileSync(path, '');
  let isTaken = false;
  const waiting = lockBuild(path).then((unlock) => {
    isTaken = true;
    return unlock;
  });
  await setTimeout(300);
  expect(isTaken).toBe(false);
  rmSync(path);
  (await waiting)();
});

test('the lock of a killed command is taken over, even if the lock has no process id', async () => {
  writeFileSync(path, deadPid);
  (await lockBuild(path))();
  writeFileSync(path, '');
  utimesSync(path, new Date(0), new Date(0));
  const unlock = await lockBuild(path);
  expect(readFileSync(path, 'utf8')).toBe(String(process.pid));
  unlock();
});

test('if many commands find the lock of a killed command, they hold the lock one at a time', async () => {
  writeFileSync(path, deadPid);
  let holders = 0;
  const work = async () => {
    const unlock = await lockBuild(path);
    expect(++holders).toBe(1);
    await setTimeout(5);
    holders--;
    unlock();
  };
  await Promise.all(Array.from({ length: 10 }, work));
  expect(readdirSync(join(path, '..'))).toEqual([]);
});
