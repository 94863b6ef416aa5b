import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logBytes, openLog, trimLogs } from './log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (name: string) => readFileSync(join(folder, 'logs', name), 'utf8');

test('a line is on disk when the call returns, readable only by the owner', () => {
  openLog(folder).info({ port: 1 }, 'started');
  expect(JSON.parse(read('trestle.log'))).toMatchObject({ port: 1, msg: 'started' });
  expect(statSync(join(folder, 'logs', 'trestle.log')).mode & 0o777).toBe(0o600);
});

test('secrets are not written, down to the headers of a request in an error', () => {
  const log = openLog(folder);
  log.info({ token: 'hush', request: { authorization: 'hush', headers: { cookie: 'hush' } } }, 'x');
  const request = { token: 'hush', headers: { authorization: 'hush' } };
  log.error({ err: Object.assign(new Error('lost'), { request }) }, 'y');
  expect(read('trestle.log')).toContain('lost');
  expect(read('trestle.log')).not.toContain('hush');
});

test('secrets are not written from deep inside an object, an error or a list', () => {
  const log = openLog(folder);
  const deep = { one: { two: { three: { headers: { Authorization: 'hush' }, password: 'hush' } } } };
  log.info(deep, 'x');
  log.info([{ a: { b: [{ token: ['hush'] }] } }], 'x');
  log.warn({ err: Object.assign(new Error('failed'), { request: deep, cause: new Error('why') }) }, 'x');
  log.error(Object.assign(new Error('failed'), { options: { auth: { apiKey: 'hush' } } }));
  log.child({ session: { deep: { and: { deeper: { secret: 'hush' } } } } }).info('y');
  expect(read('trestle.log')).not.toContain('hush');
  expect(
    read('trestle.log')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual(['x', 'x', 'x', 'failed', 'y']);
});

test('a line without secrets keeps all digits of a large integer', () => {
  openLog(folder).info({ large: 12345678901234567890n }, 'x');
  expect(read('trestle.log')).toContain('12345678901234567890');
});

test('a full log is rotated, and the oldest file is deleted', () => {
  const log = openLog(folder);
  const line = 'x'.repeat(1024 * 1024);
  for (let count = 0; count < 30; count += 1) log.info(line);
  log.info('newest');
  expect(readdirSync(join(folder, 'logs')).sort()).toEqual([
    'trestle.1.log',
    'trestle.2.log',
    'trestle.3.log',
    'trestle.log',
  ]);
  expect(read('trestle.log')).toContain('newest');
  for (const name of readdirSync(join(folder, 'logs'))) {
    expect(statSync(join(folder, 'logs', name)).size).toBeLessThan(6 * 1024 * 1024);
  }
});

test('a log that is already full is rotated before the first line', () => {
  openLog(folder);
  writeFileSync(join(folder, 'logs', 'trestle.log'), 'x'.repeat(6 * 1024 * 1024));
  openLog(folder).info('fresh');
  expect(read('trestle.log')).toMatch(/fresh/);
  expect(read('trestle.log').length).toBeLessThan(1000);
});

test('a lower limit applies to existing and later files', () => {
  const limit = { megabytes: 20 };
  const log = openLog(folder, limit);
  const line = 'x'.repeat(1024 * 1024);
  for (let count = 0; count < 18; count += 1) log.info(line);
  limit.megabytes = 8;
  trimLogs(folder, limit);
  expect(logBytes(folder)).toBeLessThanOrEqual(8 * 1024 ** 2);
  for (let count = 0; count < 30; count += 1) log.info(line);
  expect(logBytes(folder)).toBeLessThanOrEqual(9 * 1024 ** 2);
});

test('a lower limit also applies to the current file', () => {
  const limit = { megabytes: 20 };
  const log = openLog(folder, limit);
  for (let count = 0; count < 4; count += 1) log.info('x'.repeat(1024 * 1024));
  limit.megabytes = 1;
  trimLogs(folder, limit);
  log.info('newest');
  expect(logBytes(folder)).toBeLessThan(1024 ** 2);
  expect(read('trestle.log')).toContain('newest');
});

test.runIf(existsSync('/dev/full'))('on a full disk, lines are dropped and nothing throws', () => {
  mkdirSync(join(folder, 'logs'));
  symlinkSync('/dev/full', join(folder, 'logs', 'trestle.log'));
  const log = openLog(folder);
  for (const level of ['info', 'error', 'fatal'] as const) expect(() => log[level]('x')).not.toThrow();
});

test('if the log cannot be rotated, a call does not throw', () => {
  const log = openLog(folder, { megabytes: 0.001 });
  log.info('first');
  writeFileSync(join(folder, 'logs', 'trestle.2.log'), 'older');
  mkdirSync(join(folder, 'logs', 'trestle.3.log'));
  expect(() => log.info('x'.repeat(300))).not.toThrow();
});
