import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** As the tool's description says it. */
export const exportsKeptDays = 7;

/** Removes exports that are old; what somebody else put into the folder stays. */
export async function pruneExports(folder: string, now = Date.now()): Promise<void> {
  const oldest = now - exportsKeptDays * 24 * 60 * 60_000;
  for (const name of await namesIn(folder)) {
    if (!exportName.test(name)) continue;
    const file = join(folder, name);
    const stats = await lstat(file);
    if (stats.isFile() && stats.mtimeMs < oldest) await rm(file, { force: true });
  }
}

/** What write-export.ts calls its files. */
const exportName = /-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{8}\.(csv|json|jsonl)$/;

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
