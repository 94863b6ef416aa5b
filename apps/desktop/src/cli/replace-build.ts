import type { AppStatus } from '../control/app-commands.ts';
import { callRunningApp, notRunning } from '../control/client.ts';
import { installFolder } from '../install-folder.ts';
import { untilGone } from './stop.ts';

/** Stops a running app if it is an earlier build of this install folder. True if it stopped the app or found none. */
export async function stopEarlierBuild(
  dataDirectory: string,
  { dist, build, say }: { dist: string; build: string; say(line: string): void },
): Promise<boolean> {
  // A bridge that finds no handshake starts the app too. Such a start must not close the user's windows.
  if (process.env.TRESTLE_STARTED_BY === 'bridge') return false;
  const running = (await callRunningApp(dataDirectory, 'status')) as Partial<AppStatus> | typeof notRunning;
  if (running === notRunning) return true;
  // An older app reports no build id, so it counts as an earlier build.
  if (running.folder !== installFolder(dist) || running.build === build || !running.pid) return false;
  say(`Trestle was updated. Stopping the earlier build that still runs (process ${running.pid}) …`);
  await callRunningApp(dataDirectory, 'stop');
  await untilGone(running.pid);
  return true;
}
