import { open, rm } from 'node:fs/promises';
import { AppError } from '@trestle/core';

/**
 * Throws if the file for the failed rows exists or cannot be created. Called before rows are sent, because no other
 * output of the import lists every failed row.
 */
export async function assertCreatable(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.close();
    await rm(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new AppError({ code: 'invalid_argument', message: `${path} cannot be written: ${message}` });
    throw new AppError({
      code: 'conflict',
      message: `${path} exists already`,
      hint: 'Name another file for the failed rows, or delete this one.',
    });
  }
}
