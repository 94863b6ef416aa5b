import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowser } from '../../apps/desktop/src/window/find-browser.ts';
import { createHome, openLink } from './trestle.ts';

const chromium = findBrowser(process.env);
type Home = ReturnType<typeof createHome>;

/** A real browser that draws to nowhere; it leaves its process id and its arguments in the home folder. */
function browserWithoutScreen(home: Home): Record<string, string> {
  const bin = join(home.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\necho $$ > ${bin}/pid\necho "$@" >> ${bin}/arguments\nexec ${chromium} --ozone-platform=headless "$@"\n`;
  writeFileSync(join(bin, 'browser'), script, { mode: 0o755 });
  return { DISPLAY: ':none', TRESTLE_CHROMIUM: join(bin, 'browser') };
}

const read = (home: Home, name: string) => readFileSync(join(home.folder, 'bin', name), 'utf8').trim();

/** The page is in when its key has become a session. */
const hasPage = (home: Home) => existsSync(join(home.folder, 'window-sessions.json'));

async function setMcp(home: Home, isEnabled: boolean): Promise<void> {
  const { stdout } = await home.run(['--no-window']);
  const link = /http:\S+/.exec(stdout)![0];
  const { origin } = new URL(link);
  const entry = await fetch(link, { redirect: 'manual' });
  const answer = await fetch(`${origin}/api/settings.update`, {
    method: 'POST',
    headers: { cookie: entry.headers.getSetCookie()[0]!, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ mcpEnabled: isEnabled }),
  });
  expect(answer.status).toBe(200);
}

test.skipIf(!chromium)('a window opens, a second launch brings it to the front, stop closes it', async () => {
  const home = createHome();
  const env = browserWithoutScreen(home);
  const app = await home.start([], { env });
  expect(app.link).toBe((await home.json('status')).uiAddress);
  await expect.poll(() => hasPage(home)).toBe(true);
  expect(read(home, 'arguments')).toMatch('--app=http://127.0.0.1:');
  expect(read(home, 'arguments')).not.toMatch('key=');

  const second = await home.run([], { env });
  expect(second.stdout).toBe('Trestle is already running; its window is in front.\n');
  expect(read(home, 'arguments').split('\n')).toHaveLength(1);

  await home.run(['stop']);
  expect(await app.exited).toBe(0);
  expect(() => process.kill(Number(read(home, 'pid')), 0)).toThrow();
});

test.skipIf(!chromium)('closing the window leaves the app running while MCP is enabled', async () => {
  const home = createHome();
  const env = browserWithoutScreen(home);
  const app = await home.start([], { env });
  process.kill(Number(read(home, 'pid')), 'SIGTERM');
  await expect.poll(app.output).toMatch('The window is closed. Trestle runs on');
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

test.skipIf(!chromium)('the window goes with an app that was killed', async () => {
  const home = createHome();
  const env = browserWithoutScreen(home);
  const app = await home.start([], { env });
  const browser = Number(read(home, 'pid'));
  app.process.kill('SIGKILL');
  const again = await home.start([], { env });
  expect((await home.json('status')).pid).toBe(again.pid);
  await expect.poll(() => existsSync(`/proc/${browser}`)).toBe(false);
});

test('without a Chromium that works, the default browser gets a link', async () => {
  const home = createHome();
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > ${bin}/link\n`, { mode: 0o755 });
  await home.start([], {
    env: { DISPLAY: ':none', TRESTLE_CHROMIUM: '/bin/false', PATH: `${bin}:/usr/bin:/bin` },
  });
  expect((await openLink(read(home, 'link'))).status).toBe(200);
});

test('where nothing can be shown, the link is printed', async () => {
  const home = createHome();
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const app = await home.start([], {
    env: { DISPLAY: ':none', TRESTLE_CHROMIUM: '/bin/false', PATH: `${bin}:/usr/bin:/bin` },
  });
  expect((await openLink(app.link)).status).toBe(200);
});
