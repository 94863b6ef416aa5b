import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * Whether a path leads to a file by which the app itself is administered. An import can name any path, and a driver
 * that got one of these could command the app.
 */
export function isPrivateFile(home: string, path: string): boolean {
  const inside = relative(realOf(home), realOf(path));
  if (inside.startsWith('..') || isAbsolute(inside)) return false;
  // The folder itself would open all of it.
  const [first = ''] = inside.split(sep);
  return first === '' || privateNames.some((name) => name.test(first));
}

/** Why a driver may not have this folder: a right to it would be a right to all that it holds. */
export function refusedFolder(home: string, path: string): string | undefined {
  if (!isAbsolute(path)) return 'the path does not begin at the root of the disk';
  if (path.includes('*')) return 'its name has a star, which would stand for other folders too';
  const [data, folder] = [realOf(home), realOf(path)];
  if (holds(data, folder)) return 'it lies in the folder where Trestle keeps its own data';
  if (holds(folder, data)) return `it contains ${home}, where Trestle keeps its own data`;
  return undefined;
}

function holds(outer: string, inner: string): boolean {
  const inside = relative(outer, inner);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

const privateNames = [
  /^trestle\.db/,
  /^secrets\./,
  /^control/,
  /^mcp-handshake/,
  /^open-.*\.html$/,
  /^window$/,
  /^logs$/,
  /^plugins$/,
  /^compile-cache$/,
];

/** Links resolved, as far as the path exists. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
