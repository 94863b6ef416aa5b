import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { type DevtoolsPipe, openDevtoolsPipe } from './devtools-pipe.ts';
import type { CreateLink, EntryFiles } from './entry-files.ts';

/**
 * One Chromium process with one window. The process ends with its window. Both end when the app stops. If the app is
 * killed, they end only if the app has pipes to the browser (`hasPipe`).
 */
export interface ChromiumWindow {
  /** Resolves when the browser process has ended. */
  readonly closed: Promise<void>;
  /** Without pipes, does nothing. */
  bringToFront(): Promise<void>;
  close(): void;
}

export async function openChromiumWindow(options: {
  executable: string;
  env: NodeJS.ProcessEnv;
  dataDirectory: string;
  address: string;
  createLink: CreateLink;
  files: EntryFiles;
  /**
   * Whether the app controls the browser through pipes. Defaults to false on Microsoft Windows, and to true elsewhere.
   */
  hasPipe?: boolean;
}): Promise<ChromiumWindow> {
  const { hasPipe = process.platform !== 'win32' } = options;
  // Other users can read the arguments of a process. So the link is sent over the pipe, or is in a file.
  const first = hasPipe ? `${options.address}waiting` : pathToFileURL(options.files.create().path).href;
  const child = spawn(options.executable, chromiumArguments(options.dataDirectory, first, hasPipe), {
    env: options.env,
    stdio: ['ignore', 'ignore', 'ignore', ...(hasPipe ? (['pipe', 'pipe'] as const) : [])],
  });
  const closed = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await started(child);
  if (!hasPipe) {
    return { closed, bringToFront: () => Promise.resolve(), close: () => void child.kill() };
  }
  const pipe = openDevtoolsPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const ended = closed.then(() => {
    throw new Error('The browser ended without showing a window');
  });
  // If nobody waits for `ended` when the window closes, its rejection must not crash the app.
  ended.catch(() => {});
  try {
    const pages = await Promise.race([followPages(pipe), ended]);
    await showLink(pipe, await Promise.race([pages.first, ended]), options.createLink({}));
    return {
      closed,
      bringToFront: () => bringToFront(pipe, pages.current()),
      close: () => void child.kill(),
    };
  } catch (error) {
    // The caller gets no window that it could close. If this Chromium kept running, it would hold the profile, and the
    // next Chromium could not use the profile.
    child.kill();
    throw error;
  }
}

function chromiumArguments(dataDirectory: string, url: string, hasPipe: boolean): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    `--app=${url}`,
    `--user-data-dir=${join(dataDirectory, 'window')}`,
    '--class=Trestle',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-sync',
    '--password-store=basic',
    '--window-size=1280,840',
    ...(hasPipe ? ['--remote-debugging-pipe'] : []),
    // Chromium's sandbox refuses to run as root.
    ...(isRoot ? ['--no-sandbox'] : []),
  ];
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

interface TargetInfo {
  targetId: string;
  type: string;
}

/** Tracks the open pages. Closes the browser after the last page: on macOS it would keep running without windows. */
async function followPages(pipe: DevtoolsPipe) {
  const pages = new Set<string>();
  const first = Promise.withResolvers<string>();
  pipe.on('Target.targetCreated', (params) => {
    const { targetId, type } = params.targetInfo as TargetInfo;
    if (type !== 'page') return;
    pages.add(targetId);
    first.resolve(targetId);
  });
  pipe.on('Target.targetDestroyed', (params) => {
    if (pages.delete(String(params.targetId)) && pages.size === 0) pipe.send('Browser.close').catch(() => {});
  });
  await pipe.send('Target.setDiscoverTargets', { discover: true });
  return { first: first.promise, current: () => [...pages].at(-1) };
}

async function showLink(pipe: DevtoolsPipe, targetId: string, url: string): Promise<void> {
  const sessionId = await attach(pipe, targetId);
  await pipe.send('Page.navigate', { url }, sessionId);
  await pipe.send('Target.detachFromTarget', { sessionId });
}

async function bringToFront(pipe: DevtoolsPipe, targetId: string | undefined): Promise<void> {
  if (!targetId) return;
  const { windowId, bounds } = await pipe.send('Browser.getWindowForTarget', { targetId });
  if ((bounds as { windowState?: string }).windowState === 'minimized') {
    await pipe.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
  }
  const sessionId = await attach(pipe, targetId);
  await pipe.send('Page.bringToFront', {}, sessionId);
  await pipe.send('Target.detachFromTarget', { sessionId });
}

async function attach(pipe: DevtoolsPipe, targetId: string): Promise<string> {
  const { sessionId } = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
  return String(sessionId);
}
