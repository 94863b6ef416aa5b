import { deniedCalls } from './denied-calls.ts';
import type { SystemCalls } from './system-calls.ts';

/**
 * Refuses system calls that reach other processes, the network or kernel internals, on every thread of this process.
 * Returns whether the kernel accepted the filter. Needs `no_new_privs`. Source: linux/seccomp.h, linux/filter.h.
 */
export function restrictBySeccomp(
  system: SystemCalls,
  { pid, arch }: { pid: number; arch: string },
): boolean {
  const filter = seccompFilter(pid, arch);
  if (!filter) return false;
  const program = Buffer.alloc(16);
  program.writeUInt16LE(filter.length / 8);
  program.writeBigUInt64LE(system.addressOf(filter), 8);
  return system.call('seccomp', setFilter, everyThread | keepSpeculation, program) === 0;
}

/** The filter as a BPF program. Undefined for an architecture whose system call numbers are unknown. */
export function seccompFilter(pid: number, arch: string): Buffer | undefined {
  const calls = deniedCalls(arch);
  if (!calls) return undefined;
  const { audit, always, onOthers, threadsOnly, unknown } = calls;
  const steps: number[][] = [
    [loadWord, 0, 0, archOffset],
    [jumpEqual, 1, 0, audit],
    [give, 0, 0, killProcess],
    [loadWord, 0, 0, numberOffset],
    // The x32 calls of x86-64 have their own numbers, which the lists below do not name. All of them are refused.
    ...(arch === 'x64' ? [[jumpAtLeast, 0, 1, 0x4000_0000], refuse] : []),
    ...always.flatMap((number) => [[jumpEqual, 0, 1, number], refuse]),
    // `clone3` is answered as unknown. The C library then falls back to `clone`, whose flags a filter can check.
    ...unknown.flatMap((number) => [
      [jumpEqual, 0, 1, number],
      [give, 0, 0, errorOf(ENOSYS)],
    ]),
    ...threadsOnly.flatMap((number) => [
      [jumpEqual, 0, 4, number],
      [loadWord, 0, 0, firstArgument],
      [jumpIfBit, 1, 0, CLONE_THREAD],
      refuse,
      [give, 0, 0, allowCall],
    ]),
    ...onOthers.flatMap(({ number, orZero }) => [
      [jumpEqual, 0, 5, number],
      [loadWord, 0, 0, firstArgument],
      [jumpEqual, 2, 0, pid],
      [jumpEqual, orZero ? 1 : 0, 0, 0],
      refuse,
      [give, 0, 0, allowCall],
    ]),
    [give, 0, 0, allowCall],
  ];
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, [code = 0, yes = 0, no = 0, value = 0]] of steps.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}

const setFilter = 1;
const everyThread = 1;
/** Without this flag, older kernels slow down the whole process. */
const keepSpeculation = 4;

const numberOffset = 0;
const archOffset = 4;
/** The lower half of the argument: process ids and thread flags need no more. */
const firstArgument = 16;

const loadWord = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpIfBit = 0x45;
const give = 0x06;

const EPERM = 1;
const ENOSYS = 38;
const CLONE_THREAD = 0x1_0000;
const allowCall = 0x7fff_0000;
const killProcess = 0x8000_0000;
const errorOf = (errno: number) => 0x0005_0000 | errno;
const refuse = [give, 0, 0, errorOf(EPERM)];
