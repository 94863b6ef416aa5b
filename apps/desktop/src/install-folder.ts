import { dirname, resolve } from 'node:path';

/** Where this copy of Trestle is installed: the bundles are in a folder of it. */
export function installFolder(dist = dirname(process.argv[1] ?? '')): string {
  return resolve(dist, '..');
}
