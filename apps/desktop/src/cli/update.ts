import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, compareVersions, readRegistryFile, registryAddress } from '@trestle/core';
import { isInNpxCache } from '../client-setup/bridge-command.ts';
import { dataDirectory } from '../data-directory.ts';
import { registryAddress as addressOf, editionIn } from '../edition.ts';
import { installFolder } from '../install-folder.ts';
import type { Channel } from '../update/channel.ts';
import { nextStep, packageFile } from '../update/package-file.ts';
import { readChannel } from '../update/read-channel.ts';
import { seenChannels } from '../update/seen-channels.ts';
import { version } from '../version.ts';
import { askYes } from './ask-yes.ts';
import { printJson } from './output.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle update [--check] [--json]

Checks for a newer Trestle and lists its changes. Gets it only if you agree.

  --check  only check, and get nothing
  --json   only check, and print the result as JSON`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, help, { check: { type: 'boolean' }, json: { type: 'boolean' } });
  if (!parsed) return 0;
  const { check, json } = parsed.values;
  const edition = editionIn(dist);
  if (!edition?.package) {
    throw new AppError({
      code: 'unsupported',
      message: 'This Trestle runs from a clone of its sources',
      hint: 'Run `git pull` there, and then `npm start`.',
    });
  }
  const address = addressOf(dist, edition);
  const source = { address, keys: edition.registry.keys, seen: seenChannels(dataDirectory()) };
  const channel = await readChannel(source, AbortSignal.timeout(60_000));
  const isNewer = compareVersions(channel.version, version) > 0;
  if (json) {
    printJson({ version, newest: channel.version, isNewer, date: channel.date, changes: channel.changes });
    return 0;
  }
  if (!isNewer) {
    console.log(`Trestle ${version} is the newest.`);
    return 0;
  }
  console.log(`Trestle ${channel.version} of ${channel.date} is newer than this one, ${version}.\n`);
  if (channel.changes) console.log(`${channel.changes}\n`);
  if (edition.package === 'npm') return updateByNpm(channel, check ?? false);
  return download({ kind: edition.package, address, channel, isCheck: check ?? false });
}

async function updateByNpm({ version: newest }: Channel, isCheck: boolean): Promise<number> {
  if (isInNpxCache(installFolder())) {
    console.log(`To get it: npx -y trestle-mcp@${newest}`);
    return 0;
  }
  const command = ['install', '--global', `trestle-mcp@${newest}`];
  if (isCheck || !(await askYes(`Run \`npm ${command.join(' ')}\` now?`))) {
    console.log(`To get it: npm ${command.join(' ')}`);
    return 0;
  }
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync('npm', command, { stdio: 'inherit', shell });
  if (error) throw new Error(`npm did not start: ${error.message}`);
  return status ?? 1;
}

interface Download {
  kind: Parameters<typeof packageFile>[0];
  address: string;
  channel: Channel;
  isCheck: boolean;
}

/** The channel file is signed and contains the package's hash. A package with other bytes is not saved. */
async function download({ kind, address, channel, isCheck }: Download): Promise<number> {
  const name = packageFile(kind, channel.version);
  const offered = channel.packages.find((one) => one.name === name);
  if (!offered) {
    console.log(`There is no package of Trestle ${channel.version} for this machine (${name}).`);
    return 0;
  }
  const folder = new URL('..', registryAddress(address));
  const place = resolve(name);
  const size = `${(offered.size / 1e6).toFixed(1)} MB`;
  if (isCheck || !(await askYes(`Download ${name} (${size}) into ${resolve('.')}?`))) {
    console.log(`To get it: ${new URL(name, folder).href}`);
    return 0;
  }
  if (existsSync(place)) throw new Error(`${place} already exists. Move it away and try again.`);
  const { signal } = new AbortController();
  const bytes = await readRegistryFile(folder, name, { signal, maxBytes: offered.size });
  if (createHash('sha256').update(bytes).digest('hex') !== offered.sha256) {
    throw new AppError({
      code: 'refused',
      message: `${name} does not match the channel file. It was not saved`,
    });
  }
  savePackage(place, bytes);
  console.log(nextStep(kind, place));
  return 0;
}

/** A failed write leaves no truncated file, because the next update would refuse to overwrite it. */
export function savePackage(place: string, bytes: Uint8Array): void {
  try {
    writeFileSync(place, bytes, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(place, { force: true });
    throw error;
  }
}
