import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * A Chromium, Chrome or Edge that can show a page as its own window. TRESTLE_CHROMIUM names one to try first. If the
 * variable is set but empty, the result is undefined and the default browser is used.
 */
export function findBrowser(env: NodeJS.ProcessEnv, platform = process.platform): string | undefined {
  if (env.TRESTLE_CHROMIUM === '') return undefined;
  const chosen = env.TRESTLE_CHROMIUM ? [env.TRESTLE_CHROMIUM] : [];
  return [...chosen, ...candidates(env, platform)].find((path) => existsSync(path));
}

function candidates(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') {
    return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
      ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) =>
        join(folder, `${name}.app`, 'Contents', 'MacOS', name),
      ),
    );
  }
  if (platform === 'win32') {
    const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(
      (root) => root !== undefined,
    );
    return roots.flatMap((root) => [
      join(root, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      join(root, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      join(root, 'Chromium', 'Application', 'chrome.exe'),
    ]);
  }
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  // A snap cannot write to hidden folders, so it cannot keep its profile in our data directory. On Ubuntu,
  // chromium-browser starts the snap. On other systems, it is a browser of its own.
  const hasSnap = existsSync('/snap/bin/chromium');
  const names = [
    'chromium',
    'google-chrome',
    'google-chrome-stable',
    'microsoft-edge',
    'microsoft-edge-stable',
  ];
  return [...names, ...(hasSnap ? [] : ['chromium-browser'])].flatMap((name) =>
    folders
      .filter((folder) => folder !== '' && !folder.startsWith('/snap/'))
      .map((folder) => join(folder, name)),
  );
}
