import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@trestle/core';

/**
 * The path of the running app's command socket. It does not depend on XDG_RUNTIME_DIR or TMPDIR, because processes that
 * AI clients start may lack these variables and must find the same path.
 */
export function controlSocketPath(dataDirectory: string, platform = process.platform): string {
  const hash = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\trestle-${hash}`;
  const path = join(dataDirectory, 'control.sock');
  // sun_path has 104 bytes on macOS and 108 on Linux. Node refuses a longer path with EINVAL.
  return Buffer.byteLength(path) < 100 ? path : join(shortFolder(), `${hash}.sock`);
}

/** A folder in /tmp that belongs to this user and is closed to other users. */
function shortFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = `/tmp/trestle-${uid}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== uid) {
    throw new AppError({ code: 'internal', message: `${folder} is not a folder of this user` });
  }
  if (stat.mode & 0o077) chmodSync(folder, 0o700);
  return folder;
}
