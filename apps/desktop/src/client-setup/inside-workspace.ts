import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { AppError } from '@trestle/core';

/**
 * Refuses a project file whose real path is outside the project. A project may come from an attacker, and a link in it
 * could redirect our entry to another file of the user.
 */
export function expectInside(workspace: string, path: string): void {
  const inside = relative(realOf(workspace), realOf(path));
  if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) return;
  throw new AppError({
    code: 'invalid_argument',
    message: `${path} leads out of the folder ${workspace} through a link`,
    hint: 'Nothing was changed. Replace the link with a regular file, or change the entry by hand.',
  });
}

/** The path with links resolved, as far as it exists. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length));
  }
}
