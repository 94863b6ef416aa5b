import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { create } from 'tar';
import { AppError } from '../errors.ts';
import { judgeManifest } from './read-manifest.ts';

/** Packs the driver in a folder as `ID-VERSION.tgz`. Returns the path. The same files give the same bytes. */
export async function packDriver(folder: string, into: string): Promise<string> {
  const manifest = judgeManifest(folder);
  if (typeof manifest === 'string') {
    throw new AppError({
      code: 'invalid_argument',
      message: `The driver in ${folder} cannot be packed: ${manifest}`,
    });
  }
  const file = join(into, `${manifest.id}-${manifest.version}.tgz`);
  const isEntry = (path: string) => path === manifest.entry;
  const filter = (path: string) => isEntry(path) || !leftOut.test(basename(path));
  const names = readdirSync(folder)
    .filter((name) => isEntry(name) || (filter(name) && !leftOutAtTop.test(name)))
    // The tar library would read `@name` as the name of an archive.
    .map((name) => (name.startsWith('@') ? `./${name}` : name));
  await create(
    { cwd: folder, file, filter, gzip: { level: 9 }, portable: true, mtime: new Date(0) },
    names.sort(),
  );
  return file;
}

/** Files that only the author needs: hidden files, npm's files, TypeScript sources and settings, earlier packages. */
const leftOut = /^\.|^node_modules$|^package-lock\.json$|^tsconfig\.json$|\.ts$|\.tgz$/;

/** Left out only next to the manifest. In a subfolder, these names can belong to code that the driver runs. */
const leftOutAtTop = /^contract\.js$|^package\.json$/;
