import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** The files that a build of another source leaves changed, and that a running app has read or goes on to read. */
const files = ['trestle.js', 'driver-host.js', 'edition.json', join('ui', 'index.html')];

/** Tells two builds in one folder apart. An app that runs keeps the id that its folder had when it started. */
export function buildId(dist: string): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const stat = statSync(join(dist, file), { throwIfNoEntry: false });
    hash.update(`${file} ${stat?.size} ${stat?.mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
