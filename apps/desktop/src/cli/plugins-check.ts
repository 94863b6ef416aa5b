import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle plugins check FOLDER

Validates manifest.json in FOLDER, starts the driver with the rights that it asks for, and runs the contract suite.
contract.js (or contract.ts) in FOLDER says how the suite makes a database. docs/write-a-driver.md explains that file.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, help, {}, { min: 1, max: 1 });
  if (!parsed) return 0;
  const folder = resolve(parsed.positionals[0]!);
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  const [check, host] = ['driver-check.js', 'driver-host.js'].map((name) => join(dist, name)) as [
    string,
    string,
  ];
  for (const file of [check, host]) {
    if (!existsSync(file)) throw new Error(`${file} is missing. Install Trestle again.`);
  }
  const child = spawn(process.execPath, ['--disable-sigusr1', check, folder, host], { stdio: 'inherit' });
  return new Promise((end, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => end(code ?? 1));
  });
}
