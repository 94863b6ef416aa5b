import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Skipped } from './measure.ts';
import type { StdioCommand } from './stdio-command.ts';

const version = '1.4.0';
const folder = join(import.meta.dirname, 'peers');
const installed = join(folder, 'node_modules', '@bytebase', 'dbhub');

/** Installs DBHub, the MCP server that Trestle is compared with, outside the product's lockfile. */
export async function installDbhub(): Promise<void> {
  if (versionInstalled() === version) return;
  process.stderr.write(`Installing @bytebase/dbhub ${version} into bench/peers …\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  try {
    // Without npm_* variables: `npm run` sets them from the repository, including its prefix.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
    await promisify(execFile)('npm', ['install', ...flags, `@bytebase/dbhub@${version}`], {
      cwd: folder,
      env,
      shell: process.platform === 'win32',
    });
  } catch (error) {
    throw new Skipped(`@bytebase/dbhub could not be installed: ${lastLine(error as Error)}`);
  }
}

export function dbhub(file: string): StdioCommand {
  const path = process.platform === 'win32' ? `/${file.replaceAll('\\', '/')}` : file;
  const entry = join(installed, 'dist', 'index.js');
  return {
    command: process.execPath,
    args: [entry, '--transport', 'stdio', '--dsn', `sqlite://${path}`],
    env: process.env,
  };
}

function versionInstalled(): string | undefined {
  const file = join(installed, 'package.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function lastLine({ message }: Error): string {
  return message.trim().split('\n').at(-1) ?? '';
}
