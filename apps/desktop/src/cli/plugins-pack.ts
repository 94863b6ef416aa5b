import { resolve } from 'node:path';
import { packDriver } from '@trestle/core';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle plugins pack FOLDER

Packs the driver in FOLDER and writes ID-VERSION.tgz into the current folder. \`trestle plugins install\` takes that file.
The package contains all of FOLDER, except contract.js and package.json, and except these in any folder: names that
begin with a dot, node_modules, package-lock.json, tsconfig.json, .ts files and .tgz files. The driver's entry
file is always packed.`;

export async function execute({ args }: CommandContext): Promise<number> {
  const parsed = parse(args, help, {}, { min: 1, max: 1 });
  if (!parsed) return 0;
  const file = await packDriver(resolve(parsed.positionals[0]!), process.cwd());
  console.log(`Packed ${file}.`);
  return 0;
}
