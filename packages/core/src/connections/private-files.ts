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
