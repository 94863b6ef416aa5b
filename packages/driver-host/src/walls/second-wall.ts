import { type Reach, restrictByLandlock } from './landlock.ts';
import { restrictBySeccomp } from './seccomp.ts';
import { openSystemCalls } from './system-calls.ts';

/** How the kernel confines a driver's process, in addition to Node's permission model. */
export interface SecondWall {
  /** The version of Landlock. 0: it is not active. */
  landlock: number;
  seccomp: boolean;
}

/**
 * Must run before the driver is imported, and before Node uses its thread pool: Landlock applies to this thread and
 * the threads that it starts. It needs native calls. The right to them is dropped here.
 */
export function raiseSecondWall(reach: Reach): SecondWall {
  const none = { landlock: 0, seccomp: false };
  if (!process.permission?.has('ffi')) return none;
  try {
    const system = openSystemCalls();
    if (!system) return none;
    try {
      if (system.call('prctl', noNewPrivileges, 1, 0, 0, 0) !== 0) return none;
      const landlock = restrictByLandlock(system, reach);
      return { landlock, seccomp: restrictBySeccomp(system, process) };
    } finally {
      system.close();
    }
  } catch {
    // Node changed FFI, which is experimental. The driver then runs behind the first wall only, and the log says so.
    return none;
  } finally {
    process.permission.drop('ffi');
  }
}

const noNewPrivileges = 38;
