import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Reach } from './landlock.ts';

/** Landlock allows a driver's process its own files, those that the user chose, and those that Node or SQLite needs. */
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
    // Only SSL_CERT_DIR may be a list. The other variables hold one path, which may contain a colon.
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

/** Node looks for a package.json in each folder above a module. Node fails if such a file exists and cannot be read. */
function packageFiles(path: string): string[] {
  const folder = dirname(path);
  return [join(folder, 'package.json'), ...(folder === path ? [] : packageFiles(folder))];
}

/** Libraries, certificates, time zones, and files about the machine that Node reads. Users rarely keep files there. */
const systemFiles = [
  '/usr',
  '/lib',
  '/lib64',
  '/etc',
  // On openSUSE, NixOS and Guix, links in /etc/ssl lead to the next three paths.
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
