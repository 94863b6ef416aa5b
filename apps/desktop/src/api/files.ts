import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { procedure, router } from './trpc.ts';

/** Folders for the file chooser: a page in a browser never learns the path of a file the user picks. */
export const fileProcedures = router({
  list: procedure.input(z.strictObject({ folder: z.string().nullable() })).query(async ({ input }) => {
    const folder = resolve(input.folder ?? homedir());
    const entries = await readdir(folder, { withFileTypes: true });
    return {
      folder,
      parent: dirname(folder) === folder ? null : dirname(folder),
      entries: entries
        .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isFile()))
        .map((entry) => ({ name: entry.name, path: join(folder, entry.name), isFolder: entry.isDirectory() }))
        .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || a.name.localeCompare(b.name)),
    };
  }),
});
