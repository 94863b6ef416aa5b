import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The path with links resolved, as far as it exists. Only the native function returns each name with the upper and
 * lower case that it has on the disk.
 */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const whole = resolve(path);
    const parent = dirname(whole);
    return parent === whole ? whole : join(realPath(parent), basename(whole));
  }
}
