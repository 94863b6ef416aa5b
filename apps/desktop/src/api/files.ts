import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '@trestle/core';
import { z } from 'zod';
import { procedure, router } from './trpc.ts';

/** Lists folders for the file chooser of Trestle. A browser's own chooser hides the path of the file from the page. */
export const fileProcedures = router({
  list: procedure.input(z.strictObject({ folder: z.string().nullable() })).query(async ({ input }) => {
    const folder = resolve(input.folder ?? homedir());
    const visible = (await read(folder)).filter((entry) => !entry.name.startsWith('.'));
    const entries = await Promise.all(visible.map((entry) => describe(folder, entry)));
    return {
      folder,
      parent: dirname(folder) === folder ? null : dirname(folder),
      entries: entries
        .filter((entry) => entry !== null)
        .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || a.name.localeCompare(b.name)),
    };
  }),
});

async function read(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const isClosed = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw new AppError({
      code: isClosed ? 'permission_denied' : 'not_found',
      message: isClosed ? `No permission to read ${folder}` : `There is no folder ${folder}`,
    });
  }
}

/** Null for a link that cannot be followed, and for an entry that is neither a file nor a folder. */
async function describe(folder: string, entry: Dirent) {
  const path = join(folder, entry.name);
  const kind = entry.isSymbolicLink() ? await stat(path).catch(() => null) : entry;
  if (!kind?.isDirectory() && !kind?.isFile()) return null;
  return { name: entry.name, path, isFolder: kind.isDirectory() };
}
