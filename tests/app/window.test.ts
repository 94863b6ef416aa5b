import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findBrowser } from '../../apps/desktop/src/window/find-browser.ts';
import { enterWindow, linkIn, tryEntry } from '../enter-window.ts';
import { standInBrowser } from '../stand-in-browser.ts';
import { createHome, type Home } from './trestle.ts';

const chromium = findBrowser(process.env);

/** The environment for a real browser without a screen. A script records its process id and its arguments. */
function browserWithoutScreen(home: Home): Record<string, string> {
  const bin = join(home.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\necho $$ > ${bin}/pid\necho "$@" >> ${bin}/arguments\nexec ${chromium} --ozone-platform=headless "$@"\n`;
  writeFileSync(join(bin, 'browser'), script, { mode: 0o755 });
  return { DISPLAY: ':none', TRESTLE_CHROMIUM: join(bin, 'browser') };
}

const read = (home: Home, name: string) => readFileSync(join(home.folder, 'bin', name), 'utf8').trim();

async function setMcp(home: Home, isEnabled: boolean): Promise<void> {
  const { link } = (await home.ask('link')) as { link: string };
  const { origin, headers } = await enterWindow(link);
  const answer = await fetch(`${origin}/api/settings.update`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ mcpEnabled: isEnabled }),
  });
  expect(answer.status).toBe(200);
}

test.skipIf(!chromium)(
  'a window opens, a second launch starts no second browser, and stop closes the window',
  async () => {
    const home = createHome();
    const env = browserWithoutScreen(home);
    const app = await home.start([], { env });
    expect(app.link).toBe((await home.json('status')).uiAddress);
    await expect.poll(() => home.log()).toMatch('"door":"window","msg":"a window was admitted"');
    expect(read(home, 'arguments')).toMatch('--app=http://127.0.0.1:');
    expect(read(home, 'arguments')).not.toMatch('key=');

    const second = await home.run([], { env });
    expect(second.stdout).toBe('Trestle is already running, and its window is open.\n');
    expect(read(home, 'arguments').split('\n')).toHaveLength(1);

    await home.run(['stop']);
    expect(await app.exited).toBe(0);
    expect(() => process.kill(Number(read(home, 'pid')), 0)).toThrow();
  },
);

test.skipIf(!chromium)('closing the window leaves the app running while MCP is enabled', async () => {
  const home = createHome();
  const env = browserWithoutScreen(home);
  const app = await home.start([], { env });
  process.kill(Number(read(home, 'pid')), 'SIGTERM');
  await expect.poll(app.output).toMatch('The window is closed. Trestle keeps running');
  expect((await home.json('status')).pid).toBe(app.pid);
  await home.run([], { env });
  expect(read(home, 'arguments').split('\n')).toHaveLength(2);
  expect(() => process.kill(Number(read(home, 'pid')), 0)).not.toThrow();
});

test.skipIf(!chromium)('closing the window ends the app while MCP is disabled', async () => {
  const home = createHome();
  const app = await home.start([], { env: browserWithoutScreen(home) });
  await setMcp(home, false);
  process.kill(Number(read(home, 'pid')), 'SIGTERM');
  expect(await app.exited).toBe(0);
});

test.skipIf(!chromium)('the window of a killed app is gone after the app starts again', async () => {
  const home = createHome();
  const env = browserWithoutScreen(home);
  const app = await home.start([], { env });
  const browser = Number(read(home, 'pid'));
  app.process.kill('SIGKILL');
  const again = await home.start([], { env });
  expect((await home.json('status')).pid).toBe(again.pid);
  await expect.poll(() => existsSync(`/proc/${browser}`)).toBe(false);
});

describe('without a Chromium, the default browser', () => {
  test('gets a file that only the owner can read, whose link works once, and no secret in its arguments', async () => {
    const home = createHome();
    const screen = standInBrowser(home.folder);
    await home.start([], { env: { ...screen.env, ...screen.display } });
    const file = await screen.first();
    expect(file.startsWith(join(home.folder, 'open-'))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const link = new URL(linkIn(file));
    await enterWindow(link.href);
    expect(existsSync(file)).toBe(false);
    expect((await tryEntry(link.origin, link.hash.replace('#key=', ''))).status).toBe(401);
    expect(home.log()).toMatch('"door":"window","msg":"a window was admitted"');
    await home.run(['stop']);
    expect(screen.opened()).toEqual([file]);
  });

  test('that did not read the file gets the plain address, where a printed code admits it once', async () => {
    const home = createHome();
    const screen = standInBrowser(home.folder);
    const app = await home.start([], { env: { ...screen.env, ...screen.display } });
    const { uiAddress } = await home.json('status');
    await expect.poll(() => screen.opened().length, { timeout: 15_000 }).toBe(2);
    expect(screen.opened()[1]).toBe(uiAddress);
    const code = /type (\w{4}(?:-\w{4}){2});/.exec(app.output())![1]!;
    const { origin } = new URL(uiAddress);
    expect((await tryEntry(origin, code.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await tryEntry(origin, code)).status).toBe(401);
    await home.run(['stop']);
    expect(readdirSync(home.folder).filter((name) => name.startsWith('open-'))).toEqual([]);
  });
});

test('if no browser can be opened, the link is printed', async () => {
  const home = createHome();
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const app = await home.start([], {
    env: { DISPLAY: ':none', TRESTLE_CHROMIUM: '/bin/false', PATH: `${bin}:/usr/bin:/bin` },
  });
  await enterWindow(app.link);
  expect(home.log()).toMatch('"door":"link","msg":"a window was admitted"');
});
