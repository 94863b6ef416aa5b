import { copyFileSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { readEdition } from '../edition.ts';
import { asTyped } from './own-command.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle plugins new FOLDER

Writes a small working driver into FOLDER, which must be empty or missing. The folder's name becomes the driver's
id: lower-case letters, digits and dashes. docs/write-a-driver.md has the next steps.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, help, {}, { min: 1, max: 1 });
  if (!parsed) return 0;
  const given = parsed.positionals[0]!;
  const folder = resolve(given);
  const id = basename(folder);
  if (!/^[a-z][a-z0-9-]*$/.test(id)) {
    throw new Error(
      `${id} cannot be the id of a driver. Use lower-case letters, digits and dashes, and begin with a letter.`,
    );
  }
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Error(`${folder} is not a folder. Name a new folder.`);
  if (found && readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty. Name a new folder.`);
  }
  cpSync(join(dist, 'driver-template'), folder, { recursive: true });
  for (const name of ['manifest.json', 'package.json', 'README.md']) {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('my-driver', id));
  }
  placeKit(folder, readEdition(dist).registry?.address);
  console.log(asTyped(`Wrote the driver ${id} into ${folder}. Next: \`trestle plugins check ${given}\``));
  return 0;
}

/**
 * Sets the source of the driver kit in package.json: an address in a remote registry, or else a file in `folder`. Copies
 * the file from a local registry, so that `npm install` works on another machine too. Without a registry, the author
 * must put the file there.
 */
function placeKit(folder: string, registry: string | undefined): void {
  const file = join(folder, 'package.json');
  const content = JSON.parse(readFileSync(file, 'utf8')) as { devDependencies: Record<string, string> };
  const name = content.devDependencies[kitName]!;
  const kit = registry === undefined ? undefined : new URL(name, registry);
  if (kit?.protocol === 'file:') copyFileSync(kit, join(folder, name));
  content.devDependencies[kitName] = kit && kit.protocol !== 'file:' ? kit.href : `file:${name}`;
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

const kitName = '@trestle/driver-kit';
