import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, firefox } from 'playwright-core';

/** The Firefox of this machine: named in TRESTLE_FIREFOX, or on the path. */
export const firefoxPath = findFirefox(process.env);

export const needsFirefox = firefoxPath ? '' : ' (needs Firefox, on the path or named in TRESTLE_FIREFOX)';

function findFirefox(env: NodeJS.ProcessEnv): string | undefined {
  if (env.TRESTLE_FIREFOX) return env.TRESTLE_FIREFOX;
  if (process.platform === 'win32') return undefined;
  const folders = (env.PATH ?? '').split(delimiter);
  return ['firefox', 'firefox-esr']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

/** Starts the installed Firefox. Playwright controls it over WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-firefox-'));
  const launcher = join(folder, 'firefox');
  const relay = join(import.meta.dirname, 'firefox-relay.ts');
  writeFileSync(launcher, `#!/bin/sh\nexec "${process.execPath}" "${relay}" "${firefoxPath}" "$@"\n`);
  chmodSync(launcher, 0o755);
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath: launcher });
  browser.once('disconnected', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}
