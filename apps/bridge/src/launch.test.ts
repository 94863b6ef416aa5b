import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchApp } from './launch.ts';

let folder: string;
const path = process.env.PATH;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-launch-'));
  process.env.PATH = folder;
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

/** Creates a fake command. The returned function gives the arguments that the command got. */
function command(name: string, code: number): () => string {
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" > ${join(folder, 'called')}\nexit ${code}\n`, {
    mode: 0o755,
  });
  return () => readFileSync(join(folder, 'called'), 'utf8').trim();
}

test('on macOS the app that registered the URL scheme is started in the background', async () => {
  const called = command('open', 0);
  await launchApp(join(folder, 'dist'), 'darwin');
  expect(called()).toBe('-g trestle://integrations/start-mcp');
});

test('on macOS with TRESTLE_HOME set, the app next to the bridge starts with that data directory', async () => {
  const opened = command('open', 0);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin', 'trestle'),
    `#!/bin/sh\necho "$TRESTLE_HOME $@" > ${join(folder, 'started')}\n`,
    {
      mode: 0o755,
    },
  );
  process.env.TRESTLE_HOME = '/elsewhere';
  try {
    await launchApp(join(folder, 'dist'), 'darwin');
    await expect.poll(() => existsSync(join(folder, 'started'))).toBe(true);
    await expect
      .poll(() => readFileSync(join(folder, 'started'), 'utf8').trim())
      .toBe('/elsewhere start --no-window');
    expect(opened).toThrow('ENOENT');
  } finally {
    delete process.env.TRESTLE_HOME;
  }
});

test('a relative data directory is resolved against the bridge’s working directory before the app gets it', async () => {
  mkdirSync(join(folder, 'bin'));
  const started = join(folder, 'started');
  writeFileSync(join(folder, 'bin', 'trestle'), `#!/bin/sh\necho "$TRESTLE_HOME" > ${started}\n`, {
    mode: 0o755,
  });
  process.env.TRESTLE_HOME = 'data';
  try {
    await launchApp(join(folder, 'dist'), 'linux');
    await expect
      .poll(() => existsSync(started) && readFileSync(started, 'utf8').trim())
      .toBe(join(process.cwd(), 'data'));
  } finally {
    delete process.env.TRESTLE_HOME;
  }
});

test('on Linux, if the app is not next to the bridge, the app that registered the URL scheme is started', async () => {
  const called = command('xdg-open', 0);
  await launchApp(join(folder, 'dist'), 'linux');
  expect(called()).toBe('trestle://integrations/start-mcp');
});

test('a launch through xdg-open does not wait until the app ends, and the app leads its own process group', async () => {
  writeFileSync(
    join(folder, 'xdg-open'),
    `#!/bin/sh\necho $$ > ${join(folder, 'pid')}\nexec /bin/sleep 60\n`,
    {
      mode: 0o755,
    },
  );
  const launched = await launchApp(join(folder, 'dist'), 'linux');
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  // A negative number names a process group. The group exists only if the process leads it.
  process.kill(-pid, 'SIGKILL');
  expect(launched.end()).toBeUndefined();
});

test.each(['linux', 'darwin'] as const)(
  'on %s with nothing to start, the message says what is missing',
  async (platform) => {
    command('xdg-open', 3);
    command('open', 1);
    await expect(launchApp(join(folder, 'dist'), platform)).rejects.toThrow(
      `${join(folder, 'bin', 'trestle')} is missing`,
    );
  },
);
