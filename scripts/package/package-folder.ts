import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const made = /^(registry|SHA256SUMS|.*\.(deb|tgz|tar\.gz|zip|mcpb|cdx\.json|control|data))$/;

/** Removes the packages of an earlier run. Refuses a folder with other files: they may be somebody's own. */
export function emptyPackageFolder(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const other = names.find((name) => !made.test(name));
  if (other !== undefined) {
    throw new Error(`${join(folder, other)} is not a package. Name a new or empty folder with --out.`);
  }
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
