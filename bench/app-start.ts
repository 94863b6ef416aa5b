import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { callRunningApp, notRunning } from '../apps/desktop/src/control/client.ts';
import { leaveTableOpen, withBrowser } from './chromium.ts';
import { type Benchmark, type Figure, inTurns } from './measure.ts';
import { sampleConnection, startApp, withApp, withHome } from './trestle.ts';

const rounds = 7;

/**
 * The time from the command until the user sees rows, and until the app answers `trestle status`. The data directory
 * comes from an earlier run, which left one table open.
 */
export const appStart: Benchmark = {
  name: 'app-start',
  run: () =>
    withBrowser((browser) =>
      withHome(async (home) => {
        await withApp(home, async ({ link }) =>
          leaveTableOpen(link, await sampleConnection(home), { table: 'elements' }),
        );
        return measure(home, browser);
      }),
    ),
};

async function measure(home: string, browser: Browser): Promise<Figure[]> {
  const taken = await inTurns(
    { rounds },
    {
      app: () => paintedApp(home, browser),
      bare: () => paintedBare(browser),
      running: () => untilStatus(home),
      listening: () => bareListening(),
    },
  );
  return [
    {
      name: 'start to the rows of a table painted',
      unit: 'ms',
      subject: taken.app,
      baseline: taken.bare,
      against: 'node:http with a static page',
    },
    {
      name: 'start to status: running',
      unit: 'ms',
      subject: taken.running,
      baseline: taken.listening,
      against: 'node:http listening',
    },
  ];
}

async function paintedApp(home: string, browser: Browser): Promise<number> {
  const started = performance.now();
  return withApp(home, async ({ link }) => (await paint(browser, link, '[role=gridcell]')) - started);
}

async function paintedBare(browser: Browser): Promise<number> {
  const started = performance.now();
  const { child, address } = await startBare();
  const painted = await paint(browser, address, 'td');
  await end(child);
  return painted - started;
}

/**
 * The time at which the first cell with text is on screen. The function waits for two frames, because the second frame
 * starts after the first was drawn.
 */
async function paint(browser: Browser, address: string, cell: string): Promise<number> {
  const page: Page = await browser.newPage();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(cell, { hasText: /\w/ }).first().waitFor();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const painted = performance.now();
  await page.close();
  return painted;
}

/** Asks the app like `trestle status`, but does not start a process for each try. */
async function untilStatus(home: string): Promise<number> {
  const started = performance.now();
  const starting = startApp(home);
  while ((await callRunningApp(home, 'status')) === notRunning) await delay(5);
  const taken = performance.now() - started;
  await (await starting).stop();
  return taken;
}

async function bareListening(): Promise<number> {
  const started = performance.now();
  const { child } = await startBare();
  const taken = performance.now() - started;
  await end(child);
  return taken;
}

const bareServer = `
const row = '<tr>' + '<td>cell</td>'.repeat(8) + '</tr>';
const page = '<!doctype html><title>Bare</title><table>' + row.repeat(100) + '</table>';
const server = require('node:http').createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(page));
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
`;

async function startBare(): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, ['-e', bareServer]);
  const [line] = await once(child.stdout, 'data');
  return { child, address: String(line).trim() };
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}
