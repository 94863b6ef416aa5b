import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Reach } from './landlock.ts';

/** The files that Landlock allows a driver's process: its own, the chosen ones, and those that Node or SQLite needs. */
export async function hostReach(host: {
  /** The driver's folder and the host's entry. */
  own: string[];
  files: string[];
  folders: { path: string; write: boolean }[];
  /** Whether the driver opens its files with node:sqlite. */
  sqlite: boolean;
  environment: NodeJS.ProcessEnv;
}): Promise<Reach> {
  const trust = trustVariables.flatMap((name) => {
    const value = host.environment[name] ?? '';
    // Only SSL_CERT_DIR may be a list. The others may have a colon in their path.
    return [value, ...value.split(':')];
  });
  const read = [
    ...host.own,
    ...host.own.flatMap(packageFiles),
    ...host.files,
    ...host.folders.map(({ path }) => path),
    ...systemFiles,
    ...trust,
  ];
  const write = host.folders.filter((folder) => folder.write).map(({ path }) => path);
  if (!host.sqlite) return { read, write };
  // SQLite writes a journal next to the database, and its own temporary files.
  const databases = await Promise.all(
    host.files.map(async (file) => [file, await realpath(file).catch(() => file)]),
  );
  return { read, write: [...write, ...databases.flat().map((file) => dirname(file)), '/tmp', '/var/tmp'] };
}

/** Node looks for a package.json in each folder above a module. It fails if one exists that it cannot read. */
function packageFiles(path: string): string[] {
  const folder = dirname(path);
  return [join(folder, 'package.json'), ...(folder === path ? [] : packageFiles(folder))];
}

/** Libraries, certificates, time zones, and files about the machine that Node reads. None of them is the user's. */
const systemFiles = [
  '/usr',
  '/lib',
  '/lib64',
  '/etc',
  // The next three are the targets of /etc/ssl on openSUSE, NixOS and Guix.
  '/var/lib/ca-certificates',
  '/nix/store',
  '/gnu/store',
  '/dev/null',
  '/dev/urandom',
  '/proc/self',
  '/proc/meminfo',
  '/proc/cpuinfo',
  '/proc/stat',
  '/proc/version_signature',
  '/sys/devices/system/cpu',
  '/sys/fs/cgroup',
];

const trustVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
