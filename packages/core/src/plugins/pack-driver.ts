import { readdirSync } from 'node:fs';
import { join } from 'node:path';
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
  const names = readdirSync(folder).filter((name) => !leftOut.test(name));
  await create({ cwd: folder, file, gzip: { level: 9 }, portable: true, mtime: new Date(0) }, names.sort());
  return file;
}

/**
 * Names at the top of the folder that only the author needs: hidden files, npm's files, the contract check, TypeScript
 * sources and settings, and earlier packages.
 */
const leftOut = /^\.|^node_modules$|^contract\.js$|^package(-lock)?\.json$|^tsconfig\.json$|\.ts$|\.tgz$/;
