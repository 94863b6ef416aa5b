import type { SystemCalls } from './system-calls.ts';

/** The files that a driver's process may access. */
export interface Reach {
  read: string[];
  write: string[];
}

/**
 * Restricts files, TCP, signals and abstract Unix sockets, as far as the kernel can. Applies to this thread and the
 * threads that it starts later. Returns Landlock's version, or 0 if Landlock restricts nothing. Needs `no_new_privs`.
 * Source: linux/landlock.h, and the kernel's userspace-api/landlock.
 */
export function restrictByLandlock(system: SystemCalls, { read, write }: Reach): number {
  const version = system.call('landlockCreateRuleset', 0, 0, askVersion);
  if (version < 1) return 0;
  const rules = new BigUint64Array([
    handledFiles(version),
    version >= 4 ? bindTcp | connectTcp : 0n,
    version >= 6 ? abstractSockets | signals : 0n,
  ]);
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const ruleset = system.call('landlockCreateRuleset', new Uint8Array(rules.buffer), size, 0);
  if (ruleset < 0) return 0;
  try {
    for (const path of read) allow(system, ruleset, path, readFile | readDirectory);
    for (const path of write) allow(system, ruleset, path, handledFiles(version) & ~neverAllowed);
    return system.call('landlockRestrictSelf', ruleset, 0) === 0 ? version : 0;
  } finally {
    system.call('close', ruleset);
  }
}

/** A path that does not exist needs no rule. */
function allow(system: SystemCalls, ruleset: number, path: string, access: bigint): void {
  const fd = system.call('openat', currentDirectory, Buffer.from(`${path}\0`), openPath);
  if (fd < 0) return;
  if (!addRule(system, ruleset, fd, access)) {
    // The kernel rejects folder rights on a file.
    addRule(system, ruleset, fd, access & ofFile);
  }
  system.call('close', fd);
}

function addRule(system: SystemCalls, ruleset: number, fd: number, access: bigint): boolean {
  const rule = Buffer.alloc(12);
  rule.writeBigUInt64LE(access);
  rule.writeInt32LE(fd, 8);
  return system.call('landlockAddRule', ruleset, pathBeneath, rule, 0) === 0;
}

function handledFiles(version: number): bigint {
  const rights = version >= 5 ? 16n : version >= 3 ? 15n : version >= 2 ? 14n : 13n;
  return (1n << rights) - 1n;
}

const askVersion = 1;
const pathBeneath = 1;
const currentDirectory = -100;
/** O_PATH and O_CLOEXEC. */
const openPath = 0o10000000 | 0o2000000;

const execute = 1n << 0n;
const writeFile = 1n << 1n;
const readFile = 1n << 2n;
const readDirectory = 1n << 3n;
const makeDevice = (1n << 6n) | (1n << 11n);
const makeSocket = 1n << 9n;
const makeLink = 1n << 12n;
const truncate = 1n << 14n;
const deviceControl = 1n << 15n;
const neverAllowed = execute | makeDevice | makeSocket | makeLink | deviceControl;
const ofFile = writeFile | readFile | truncate;

const bindTcp = 1n;
const connectTcp = 2n;
const abstractSockets = 1n;
const signals = 2n;
