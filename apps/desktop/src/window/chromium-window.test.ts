import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openChromiumWindow } from './chromium-window.ts';
import { createEntryFiles } from './entry-files.ts';

/**
 * A browser that starts, refuses every command, and keeps running. It writes its process id to the file that the
 * variable PID names.
 */
const refusing = `
const { createReadStream, writeFileSync, writeSync } = require('node:fs');
writeFileSync(process.env.PID, String(process.pid));
const commands = createReadStream('', { fd: 3 });
commands.on('data', (bytes) => {
  const { id } = JSON.parse(String(bytes).split('\\0')[0]);
  writeSync(4, JSON.stringify({ id, error: { message: 'Not here' } }) + '\\0');
});
commands.on('close', () => process.exit());
setInterval(() => {}, 1000);
`;

test.skipIf(process.platform === 'win32')('a browser that shows no window is ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-window-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const executable = join(folder, 'browser.cjs');
  writeFileSync(executable, `#!${process.execPath}\n${refusing}`);
  chmodSync(executable, 0o755);
  const pid = join(folder, 'pid');
  const createLink = () => 'http://127.0.0.1/';
  const files = createEntryFiles(folder, createLink);
  onTestFinished(() => files.close());
  const address = 'http://127.0.0.1/';
  const env = { ...process.env, PID: pid };
  await expect(
    openChromiumWindow({ executable, env, dataDirectory: folder, address, createLink, files }),
  ).rejects.toThrow('Not here');
  const isRunning = () => {
    try {
      return process.kill(Number(readFileSync(pid, 'utf8')), 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning, { timeout: 10_000 }).toBe(false);
});
