import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { browserPath, launchBrowser, needsBrowser } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample } from './journey.ts';

const root = join(import.meta.dirname, '..', '..');
const trestle = join(root, 'bin', 'trestle');
const canMount = spawnSync('unshare', ['-rm', '/bin/sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

/** Starts a shell with a small disk at `folder`. Only the shell and its children see the disk. */
function openDisk(folder: string, megabytes: number) {
  const child = spawn('unshare', ['-rm', '/bin/sh'], {
    env: { HOME: folder, TRESTLE_HOME: folder, PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let heard = () => {};
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    heard();
  });
  /** The lines up to the first line that matches the pattern. */
  async function until(pattern: RegExp): Promise<string[]> {
    for (;;) {
      const at = lines.findIndex((line) => pattern.test(line));
      if (at >= 0) return lines.splice(0, at + 1);
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
  }
  async function run(command: string): Promise<{ code: number; text: string }> {
    child.stdin.write(`${command}\necho "ended with $?"\n`);
    const output = await until(/^ended with \d+$/);
    return { code: Number(output.pop()!.split(' ').at(-1)), text: output.join('\n') };
  }
  child.stdin.write(`mount -t tmpfs -o size=${megabytes}m none ${folder}\n`);
  return {
    run,
    until,
    send: (command: string) => child.stdin.write(`${command}\n`),
    end: () => child.stdin.end(),
  };
}

test.skipIf(!browserPath || !canMount)(
  `a full disk is reported in the window, by status and by doctor, until there is room${needsBrowser}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trestle-full-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const disk = openDisk(folder, 64);
    onTestFinished(async () => {
      await disk.run(`${trestle} stop`);
      disk.end();
    });
    disk.send(`${trestle} start --no-window 2>&1 &`);
    const link = /http:\/\/\S+key=\S+/.exec((await disk.until(/key=/)).at(-1)!)![0];
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(45_000);
    await page.goto(link);
    await openSample(page);
    await page.keyboard.press('Alt+n');
    await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect((await disk.run(`${trestle} doctor`)).text).toContain('every call is logged');

    await disk.run(`cat /dev/zero > ${folder}/filler 2>/dev/null`);
    const banner = page.getByRole('alert').filter({ hasText: 'Trestle cannot write its history' });
    // The app's files may have free pages inside, so a long statement is repeated until a write fails.
    await page.keyboard.insertText(`SELECT '${'x'.repeat(50_000)}' IS NULL AS empty`);
    await expect
      .poll(
        async () => {
          await page.keyboard.press('ControlOrMeta+Enter');
          return banner.count();
        },
        { timeout: 45_000, interval: 500 },
      )
      .toBe(1);
    expect(await banner.textContent()).toBe(
      'Trestle cannot write its history and activity log: the disk is full. Calls of AI clients are refused ' +
        `until it can. Make room on the disk that holds ${folder}, or make it writable.`,
    );
    // The user's own statements still run.
    await page.getByRole('region', { name: 'Results' }).getByText('1 row').waitFor();
    expect(await disk.run(`${trestle} status`)).toMatchObject({
      code: 0,
      text: expect.stringContaining(
        'Calls cannot be logged, so those of clients are refused: the disk is full.',
      ),
    });
    const doctor = await disk.run(`${trestle} doctor`);
    expect(doctor).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /FAILED +activity log +cannot be written: the disk is full\. Calls of clients are refused until Trestle can write to/,
      ),
    });

    await disk.run(`rm ${folder}/filler`);
    await banner.waitFor({ state: 'detached' });
    expect((await disk.run(`${trestle} status`)).text).not.toContain('cannot be logged');
    expect((await disk.run(`${trestle} doctor`)).text).toContain('every call is logged');

    await disk.run(`cat /dev/zero > ${folder}/filler 2>/dev/null`);
    await page.keyboard.insertText(`/* ${'x'.repeat(100_000)} */\n-- kept`);
    const unstored = page
      .getByRole('alert')
      .filter({ hasText: 'Trestle cannot keep your last edits and tabs' });
    await unstored.waitFor();
    expect(await unstored.textContent()).toContain(
      `${folder}/trestle.db cannot be written: the disk is full.`,
    );
    await disk.run(`rm ${folder}/filler`);
    await unstored.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('-- kept').first().waitFor();

    await page.getByRole('button', { name: 'Table planets', exact: true }).focus();
    await page.keyboard.press('Enter');
    await gridOf(page, 'Rows of planets').focus();
    await page.keyboard.press('ArrowRight');
    await disk.run(`cat /dev/zero > ${folder}/filler 2>/dev/null`);
    await expect
      .poll(
        async () => {
          await page.keyboard.type('Vulcan');
          await page.keyboard.insertText('x'.repeat(100_000));
          await page.keyboard.press('Enter');
          return unstored.count();
        },
        { timeout: 45_000, interval: 2_000 },
      )
      .toBe(1);
    const edited = await page
      .getByRole('region', { name: 'Unsaved changes' })
      .getByText('edited')
      .innerText();
    await disk.run(`rm ${folder}/filler`);
    await unstored.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('region', { name: 'Unsaved changes' }).getByText(edited).waitFor();
  },
);
