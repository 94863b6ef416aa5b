import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder of all app data. XDG_DATA_HOME is ignored: AI clients start the bridge with little more than HOME and
 * PATH, and the app and the bridge must use the same folder.
 */
export function dataDirectory(
  env: Record<string, string | undefined> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.TRESTLE_HOME) return env.TRESTLE_HOME;
  const home = homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Trestle');
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Trestle');
  return join(home, '.local', 'share', 'trestle');
}
