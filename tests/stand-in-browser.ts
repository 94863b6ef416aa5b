import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A default browser for the app. It is a script that records each file or address that it is told to open. A test can
 * open such a file or address in its own browser. The app treats that page as a window that the app opened itself.
 */
export function standInBrowser(folder: string) {
  const bin = join(folder, 'stand-in');
  const opened = join(bin, 'opened');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`, { mode: 0o755 });
  return {
    /** The environment of the app, without a screen. The app opens a window only if it also gets `display`. */
    env: { TRESTLE_CHROMIUM: '', PATH: `${bin}:${process.env.PATH ?? ''}` },
    display: { DISPLAY: ':none' },
    forget: () => rmSync(opened, { force: true }),
    /** The files and addresses that the browser was told to open, in order. */
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
