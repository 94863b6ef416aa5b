import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that change with the source, and that a running app has read or will read. */
const files = ['trestle.js', 'driver-host.js', 'edition.json', join('ui', 'index.html')];

/**
 * Distinguishes two builds in one folder. A running app keeps the id from its start. The files of two packages may have
 * the same sizes and modification times. So the content of `edition.json`, which names the commit, is part of the id too.
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
