import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { AppError } from '@trestle/core';

/**
 * Refuses a file of a project that is really elsewhere. A project may come from a stranger, and a link in it could lead
 * the entry, which starts a program, into any file of the user.
 */
export function expectInside(workspace: string, path: string): void {
  const inside = relative(realOf(workspace), realOf(path));
  if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) return;
  throw new AppError({
    code: 'invalid_argument',
    message: `${path} leads out of the folder ${workspace} through a link`,
    hint: 'Nothing was changed. Replace the link with a file of its own, or add the entry by hand.',
  });
}

/** With every link followed, as far as the path exists. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length));
  }
}
