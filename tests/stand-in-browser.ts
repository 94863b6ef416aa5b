import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A user with a screen and a default browser. The browser is a script that records what it was told to open,
 * so that a test can open the same in its own browser. Such a window counts as opened by the app itself.
 */
export function standInBrowser(folder: string) {
  const bin = join(folder, 'stand-in');
  const opened = join(bin, 'opened');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`, { mode: 0o755 });
  return {
    /** The environment of the app, which has no screen. `display` is for the launch that opens the window. */
    env: { TRESTLE_CHROMIUM: '', PATH: `${bin}:${process.env.PATH ?? ''}` },
    display: { DISPLAY: ':none' },
    forget: () => rmSync(opened, { force: true }),
    /** The addresses that the browser was told to open, in order. */
    opened: () => (existsSync(opened) ? readFileSync(opened, 'utf8').trim().split('\n') : []),
    async first(): Promise<string> {
      for (let attempt = 0; attempt < 400; attempt += 1) {
        // The shell creates the file a moment before it writes the line.
        const [line, rest] = existsSync(opened) ? readFileSync(opened, 'utf8').split('\n') : [];
        if (line !== undefined && rest !== undefined) return line;
        await delay(25);
      }
      throw new Error('No browser was opened');
    },
  };
}
