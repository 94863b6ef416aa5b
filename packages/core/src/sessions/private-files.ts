import { statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { realPath } from '../real-path.ts';

/**
 * Whether a path points to a file or folder of the app itself, or to the whole data directory. An imported connection
 * can contain any path, and a driver with such a file could control the app.
 */
export function isPrivateFile(home: string, path: string): boolean {
  const inside = relative(realPath(home), realPath(path));
  if (inside.startsWith('..') || isAbsolute(inside)) return false;
  // `first` is empty for the data directory itself. Access to it would include all private files.
  const [first = ''] = inside.split(sep);
  return first === '' || privateNames.some((name) => name.test(first));
}

/** Why a driver may not use this file, or undefined. */
export function refusalOfFile(home: string, path: string): string | undefined {
  // The app and the driver's process would resolve a relative path from different folders.
  if (!isAbsolute(path)) return relativePath;
  if (isPrivateFile(home, path)) return 'it belongs to Trestle itself';
  // With a folder in place of a file, the driver could read everything in it.
  return isFolder(path) ? 'it is a folder' : undefined;
}

/** Why a driver may not use this folder, or undefined. A driver gets access to everything in the folder. */
export function refusalOfFolder(home: string, path: string): string | undefined {
  if (!isAbsolute(path)) return relativePath;
  if (path.includes('*')) return 'its path has a star, which would also match other folders';
  const [data, folder] = [realPath(home), realPath(path)];
  if (holds(data, folder)) return 'it is the data directory of Trestle, or inside it';
  if (holds(folder, data)) return `it contains ${home}, the data directory of Trestle`;
  return undefined;
}

const relativePath = 'the path does not begin at the root of the disk';

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function holds(outer: string, inner: string): boolean {
  const inside = relative(outer, inner);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** The patterns ignore case: on macOS and Windows, `TRESTLE.DB` is usually the same file as `trestle.db`. */
const privateNames = [
  /^trestle\.db/i,
  /^secrets\./i,
  /^control/i,
  /^mcp-handshake/i,
  /^open-.*\.html$/i,
  /^window$/i,
  /^logs$/i,
  /^plugins$/i,
  /^compile-cache$/i,
  // Copies of clients' configuration files, which may contain secrets.
  /^connect$/i,
  // Files of the import dialog.
  /^imports$/i,
];
