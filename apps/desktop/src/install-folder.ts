import { dirname, resolve } from 'node:path';

/** The folder of this installation. It contains the folder of the bundles. */
export function installFolder(dist = dirname(process.argv[1] ?? '')): string {
  return resolve(dist, '..');
}
