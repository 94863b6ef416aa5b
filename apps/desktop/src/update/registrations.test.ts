import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { registrations, windowsRegistrations } from './registrations.ts';

let home: string;
let root: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'trestle-install-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_DATA_HOME', '');
  root = join(home, 'my "tools" 100%', 'trestle');
  for (const folder of ['bin', 'share']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'share', 'trestle.svg'), '<svg/>');
  writeFileSync(join(root, 'share', 'trestle.desktop'), '[Desktop Entry]\nExec=trestle %u\n');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

function shared(): { entry: string; icon: string } {
  const data = join(home, '.local', 'share');
  return {
    entry: join(data, 'applications', 'trestle.desktop'),
    icon: join(data, 'icons', 'hicolor', 'scalable', 'apps', 'trestle.svg'),
  };
}

test('install adds commands, icon and menu entry for this user, and uninstall removes them', () => {
  const all = registrations(root, 'linux');
  for (const { add } of all) add();
  const { entry, icon } = shared();
  expect(lstatSync(icon).isFile()).toBe(true);
  expect(readFileSync(entry, 'utf8')).toContain(
    `Exec="${join(home, 'my \\\\"tools\\\\" 100%%', 'trestle', 'bin', 'trestle')}" %u`,
  );
  expect(lstatSync(join(home, '.local', 'bin', 'trestle-mcp')).isSymbolicLink()).toBe(true);
  // A second install must not fail.
  for (const { add } of all) add();
  expect(all.map(({ remove }) => remove())).toEqual([true, true, true, true]);
  expect(all.map(({ remove }) => remove())).toEqual([false, false, false, false]);
  const commands = ['trestle', 'trestle-mcp'].map((name) => join(home, '.local', 'bin', name));
  for (const path of [entry, icon, ...commands]) {
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  }
});

test('uninstall leaves the menu entry of another copy, and its icon', () => {
  const other = join(home, 'other');
  for (const folder of ['bin', 'share']) mkdirSync(join(other, folder), { recursive: true });
  for (const file of ['trestle.svg', 'trestle.desktop'])
    copyFileSync(join(root, 'share', file), join(other, 'share', file));
  for (const { add } of registrations(other, 'linux')) add();
  const removed = registrations(root, 'linux').map(({ remove }) => remove());
  expect(removed).toEqual([false, false, false, false]);
  const { entry, icon } = shared();
  expect([entry, icon].map((path) => lstatSync(path).isFile())).toEqual([true, true]);
});

test('the user’s own program is left alone, and uninstall leaves the link of another copy', () => {
  const place = join(home, '.local', 'bin');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'trestle'), '#!/bin/sh\n');
  symlinkSync('/opt/other/bin/trestle-mcp', join(place, 'trestle-mcp'));
  const [trestle, bridge] = registrations(root, 'linux');
  expect(() => trestle!.add()).toThrow('did not create it');
  expect([trestle!.remove(), bridge!.remove()]).toEqual([false, false]);
  expect(readFileSync(join(place, 'trestle'), 'utf8')).toBe('#!/bin/sh\n');
  expect(lstatSync(join(place, 'trestle-mcp')).isSymbolicLink()).toBe(true);
});

test('install leaves a link of the user’s own alone, and replaces a link to another copy or to a deleted copy', () => {
  const place = join(home, '.local', 'bin');
  const path = join(place, 'trestle');
  mkdirSync(place, { recursive: true });
  const own = join(home, 'my-scripts', 'bin');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'trestle'), '#!/bin/sh\n');
  const [trestle] = registrations(root, 'linux');
  for (const target of [join(own, 'trestle'), join(home, 'gone', 'carpenter')]) {
    symlinkSync(target, path);
    expect(() => trestle!.add()).toThrow('did not create it');
    expect(readlinkSync(path)).toBe(target);
    rmSync(path);
  }
  const other = join(home, 'other');
  for (const folder of ['bin', 'share']) mkdirSync(join(other, folder), { recursive: true });
  for (const file of ['bin/trestle', 'share/trestle.desktop']) writeFileSync(join(other, file), '');
  for (const target of [join(other, 'bin', 'trestle'), join(home, 'gone', 'bin', 'trestle')]) {
    symlinkSync(target, path);
    trestle!.add();
    expect(readlinkSync(path)).toBe(join(root, 'bin', 'trestle'));
    rmSync(path);
  }
});

test('on Windows the URL scheme is registered for this user, and removed only if it belongs to this copy', () => {
  const calls: string[][] = [];
  const answers = {
    ours: `REG_SZ "${join(root, 'trestle.exe')}" "%1"`,
    others: 'REG_SZ "D:\\other\\trestle.exe"',
  };
  let answer = answers.ours;
  const [scheme] = windowsRegistrations(root, (args) => {
    calls.push(args);
    return answer;
  });
  scheme!.add();
  expect(calls.at(-1)).toEqual([
    'add',
    'HKCU\\Software\\Classes\\trestle\\shell\\open\\command',
    '/ve',
    '/d',
    `"${join(root, 'trestle.exe')}" "%1"`,
    '/f',
  ]);
  expect(scheme!.remove()).toBe(true);
  expect(calls.at(-1)).toEqual(['delete', 'HKCU\\Software\\Classes\\trestle', '/f']);
  answer = answers.others;
  expect(scheme!.remove()).toBe(false);
  expect(calls.at(-1)![0]).toBe('query');
});

test.skipIf(process.platform === 'win32')('a registry tool that does not start is reported', () => {
  const [scheme] = windowsRegistrations(root);
  expect(() => scheme!.add()).toThrow('The Windows registry could not be changed: spawnSync reg ENOENT');
});
