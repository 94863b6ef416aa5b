import { open, stat } from 'node:fs/promises';
import { isSystemError } from './disk-problem.ts';
import { refusal } from './install-step.ts';
import { integrityOf } from './integrity.ts';

export interface DriverPackage {
  bytes: Buffer;
  /** In the format of the registry: `sha512-<base64>`. */
  integrity: string;
}

/** Reads the whole file once, so the hashed bytes are the unpacked bytes even if the file changes. */
export async function readPackage(path: string, signal: AbortSignal): Promise<DriverPackage> {
  let bytes: Buffer;
  try {
    // Checked before the file is opened: opening a pipe would wait for a writer.
    const before = await stat(path);
    if (!before.isFile()) throw refusal('read', `${path} is not a regular file`);
    if (before.size > largestPackage) throw tooLarge(path);
    bytes = await readAtMost(path, largestPackage + 1, signal);
  } catch (error) {
    throw isSystemError(error) ? unreadable(path, error) : error;
  }
  if (bytes.length > largestPackage) throw tooLarge(path);
  return { bytes, integrity: integrityOf(bytes) };
}

export const largestPackage = 50 * 1024 * 1024;

/** Stops at the limit: the file can grow while it is read. */
async function readAtMost(path: string, limit: number, signal: AbortSignal): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; length < limit; ) {
      signal.throwIfAborted();
      const chunk = Buffer.allocUnsafe(Math.min(1024 * 1024, limit - length));
      const { bytesRead } = await file.read(chunk);
      if (bytesRead === 0) break;
      chunks.push(chunk.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

function tooLarge(path: string): Error {
  return refusal('read', `${path} is larger than 50 MB`);
}

function unreadable(path: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return refusal('read', `there is no file ${path}`, { code: 'not_found' });
  const reason = error.code === 'EACCES' ? 'permission denied' : error.message;
  return refusal('read', `${path} cannot be read: ${reason}`);
}
