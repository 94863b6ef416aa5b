import { readdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isPacked, packagePathChecker } from '@trestle/driver-kit/package-paths';
import { create } from 'tar';
import { AppError } from '../errors.ts';
import { judgeManifest } from './read-manifest.ts';

/** Packs the driver in a folder as `ID-VERSION.tgz`. Returns the path. The same files give the same bytes. */
export async function packDriver(folder: string, into: string): Promise<string> {
  const manifest = judgeManifest(folder);
  if (typeof manifest === 'string') throw notPacked(folder, manifest);
  const file = join(into, `${manifest.id}-${manifest.version}.tgz`);
  const packed: string[] = [];
  const filter = (found: string) => {
    const path = posix.normalize(found);
    if (!isPacked(path, manifest.entry)) return false;
    packed.push(path);
    return true;
  };
  const names = readdirSync(folder)
    .filter((name) => isPacked(name, manifest.entry))
    // The tar library would read `@name` as the name of an archive.
    .map((name) => (name.startsWith('@') ? `./${name}` : name));
  await create(
    { cwd: folder, file, filter, gzip: { level: 9 }, portable: true, mtime: new Date(0) },
    names.sort(),
  );
  const check = packagePathChecker();
  for (const path of packed) {
    const problem = check(path);
    if (problem === undefined) continue;
    rmSync(file);
    throw notPacked(folder, `"${path}" ${problem}`);
  }
  return file;
}

function notPacked(folder: string, why: string): AppError {
  return new AppError({
    code: 'invalid_argument',
    message: `The driver in ${folder} cannot be packed: ${why}`,
  });
}
