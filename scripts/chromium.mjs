import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of a browser for the browser tests, or null. If no browser is found, tries to install Chromium with apt. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (isOnPath('apt-get') && (sudo.length === 0 || isOnPath('sudo'))) {
    console.log('Installing Chromium for the browser tests (once) …');
    const apt = (...args) => {
      const [command, ...rest] = [...sudo, 'apt-get', ...args];
      return spawnSync(command, rest, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      }).status;
    };
    if (apt('update', '-qq') === 0) apt('install', '-y', '-qq', 'chromium');
  }
  const installed = findChromium();
  if (!installed) {
    console.log(
      'No Chromium found: the browser tests are skipped. Install Chromium or Chrome, or set TRESTLE_CHROMIUM to its path.',
    );
  }
  return installed;
}

export function findChromium() {
  const candidates = [process.env.TRESTLE_CHROMIUM, ...names.map(onPath), ...places];
  return candidates.find((path) => path && isExecutable(path)) ?? null;
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isOnPath(name) {
  return onPath(name) !== undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
