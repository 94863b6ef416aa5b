import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files that a build of another source leaves changed, and that a running app has read or goes on to read. */
const files = ['trestle.js', 'driver-host.js', 'edition.json', join('ui', 'index.html')];

/**
 * Tells two builds in one folder apart. An app that runs keeps the id that its folder had when it started. Files of a
 * package all have the same time, so the description of the build, which names its source, is read as well.
 */
export function buildId(dist: string): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const stat = statSync(join(dist, file), { throwIfNoEntry: false });
    hash.update(`${file} ${stat?.size} ${stat?.mtimeMs}\n`);
  }
  const edition = join(dist, 'edition.json');
  if (existsSync(edition)) hash.update(readFileSync(edition));
  return hash.digest('hex').slice(0, 16);
}
