import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type Handshake, parseHandshake } from './format.ts';

export type HandshakeReading =
  | { trusted: true; handshake: Handshake }
  | { trusted: false; reason: Distrust; detail: string };

export type Distrust =
  | 'missing'
  | 'unreadable'
  | 'not_regular'
  | 'foreign_owner'
  | 'exposed'
  | 'malformed'
  /** The process that wrote the file is gone. */
  | 'stale';

/** Reads the handshake. Checks the file, its content, and whether the app that wrote it still runs. */
export function readHandshake(path: string): HandshakeReading {
  let file: number;
  try {
    if (!lstatSync(path).isFile()) return distrust('not_regular', 'the handshake is not a regular file');
    // Somebody may have put a link or a pipe there after the check. The flags refuse a link, and do not wait for a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return unopened(error as NodeJS.ErrnoException);
  }
  try {
    const stats = fstatSync(file);
    const refusal = judge(stats);
    if (refusal) return refusal;
    return judgeContent(readAll(file, stats.size));
  } catch (error) {
    return distrust('unreadable', `the handshake cannot be read (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    closeSync(file);
  }
}

/** A real handshake is much smaller. */
const maxBytes = 64 * 1024;

function judge(stats: Stats): HandshakeReading | undefined {
  if (!stats.isFile()) return distrust('not_regular', 'the handshake is not a regular file');
  if (stats.size > maxBytes) return distrust('malformed', 'the handshake is too large');
  // On Windows, Node reports neither owner nor mode. There the access list of the profile folder, the default place of
  // the file, keeps other users out.
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  if (stats.uid !== user) return distrust('foreign_owner', 'the handshake belongs to another user');
  if ((stats.mode & 0o077) !== 0) return distrust('exposed', 'the handshake is open to other users');
  return undefined;
}

function judgeContent(text: string): HandshakeReading {
  const parsed = parseHandshake(text);
  if (!parsed.ok) return distrust('malformed', `the handshake is damaged: ${parsed.problem}`);
  if (!isAlive(parsed.handshake.pid)) return distrust('stale', 'the app that wrote the handshake is gone');
  return { trusted: true, handshake: parsed.handshake };
}

/** EPERM means that a process of another user has this pid now. Our app is gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function readAll(file: number, size: number): string {
  const buffer = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(file, buffer, filled, size - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return buffer.toString('utf8', 0, filled);
}

function unopened(error: NodeJS.ErrnoException): HandshakeReading {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return distrust('missing', 'there is no handshake');
  if (error.code === 'ELOOP') return distrust('not_regular', 'the handshake is not a regular file');
  return distrust('unreadable', `the handshake cannot be read (${error.code})`);
}

function distrust(reason: Distrust, detail: string): HandshakeReading {
  return { trusted: false, reason, detail };
}
