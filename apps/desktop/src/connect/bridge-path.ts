import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@trestle/core';

/**
 * The bridge of this install, as a client's configuration names it. It stands beside the app's own launcher: in
 * `bin/` above the bundles, and in the `MacOS` folder of an application bundle.
 */
export function bridgePath(from = import.meta.dirname, platform = process.platform): string {
  const name = platform === 'win32' ? 'trestle-mcp.cmd' : 'trestle-mcp';
  for (let folder = from; ; folder = dirname(folder)) {
    const found = ['bin', 'MacOS'].map((part) => join(folder, part, name)).find((path) => existsSync(path));
    if (found) return found;
    if (dirname(folder) === folder) break;
  }
  throw new AppError({
    code: 'not_found',
    message: `The bridge ${name} is missing from this install`,
    hint: 'Install Trestle again.',
  });
}
