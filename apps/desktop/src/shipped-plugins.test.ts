import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore } from '@trestle/core';
import { pino } from 'pino';
import { create, extract } from 'tar';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { installShippedPlugins } from './shipped-plugins.ts';

const dist = join(import.meta.dirname, '..', '..', '..', 'dist');
const log = pino({ level: 'silent' });
const signal = new AbortController().signal;
let folder: string;
let content: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-shipped-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  content = join(folder, 'content');
  for (const name of ['content', 'plugins']) mkdirSync(join(folder, name));
  const name = readdirSync(join(dist, 'plugins')).find((one) => one.startsWith('weaviate-'))!;
  await extract({ file: join(dist, 'plugins', name), cwd: content });
});

/** Builds the package anew, as a later build of the app would, and gives its path. */
async function rebuild(version: string, note: string): Promise<string> {
  const manifest = JSON.parse(readFileSync(join(content, 'manifest.json'), 'utf8'));
  writeFileSync(join(content, 'manifest.json'), JSON.stringify({ ...manifest, version, summary: note }));
  for (const old of readdirSync(join(folder, 'plugins'))) rmSync(join(folder, 'plugins', old));
  const file = join(folder, 'plugins', `weaviate-${version}.tgz`);
  await create({ cwd: content, file, gzip: true, portable: true }, readdirSync(content));
  return file;
}

/** Opens the core as a start does, and closes it again; gives the driver that is there then. */
async function start(work?: (core: Awaited<ReturnType<typeof createCore>>) => Promise<unknown>) {
  const core = await createCore({
    home: join(folder, 'home'),
    hostEntry: join(dist, 'driver-host.js'),
    bundledDrivers: [],
    secretStore: 'file',
    log,
  });
  try {
    await installShippedPlugins(core, join(folder, 'plugins'), log);
    await work?.(core);
    const { version, summary } = core.drivers.get('weaviate') ?? {};
    return [version, summary];
  } finally {
    await core.close();
  }
}

test('a package is installed once, and again when it was rebuilt', async () => {
  await rebuild('0.1.0', 'first');
  expect(await start()).toEqual(['0.1.0', 'first']);
  await rebuild('0.1.0', 'rebuilt');
  expect(await start()).toEqual(['0.1.0', 'rebuilt']);
  await rebuild('0.2.0', 'newer');
  expect(await start()).toEqual(['0.2.0', 'newer']);
});

test('what the user installed or removed stands, also when the package changes', async () => {
  const newer = await rebuild('0.3.0', 'from the user');
  copyFileSync(newer, join(folder, 'user.tgz'));
  await rebuild('0.1.0', 'first');
  const install = start((core) => core.drivers.installFromFile(join(folder, 'user.tgz'), { signal }));
  expect(await install).toEqual(['0.3.0', 'from the user']);
  await rebuild('0.2.0', 'shipped later');
  expect(await start()).toEqual(['0.3.0', 'from the user']);
  expect(await start((core) => core.drivers.remove('weaviate'))).toEqual([undefined, undefined]);
  await rebuild('0.4.0', 'shipped later still');
  expect(await start()).toEqual([undefined, undefined]);
});

test('a package that is broken stops nothing, and is tried again at the next start', async () => {
  writeFileSync(join(folder, 'plugins', 'weaviate-0.1.0.tgz'), 'nothing');
  expect(await start()).toEqual([undefined, undefined]);
  await rebuild('0.1.0', 'mended');
  expect(await start()).toEqual(['0.1.0', 'mended']);
});
