import { type Reach, restrictByLandlock } from './landlock.ts';
import { restrictBySeccomp } from './seccomp.ts';
import { openSystemCalls } from './system-calls.ts';

/** How the kernel holds a driver's process, beside Node's permission model. */
export interface SecondWall {
  /** Version of Landlock; 0 where it does not hold the process. */
  landlock: number;
  seccomp: boolean;
}

/**
 * Must run before the driver is imported, and before Node has used its thread pool: Landlock holds this thread and
 * those it starts. The right to call native code, which it needs, is given up here.
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
    // Node changed FFI, which is experimental. The driver runs behind the first wall alone, and the log says so.
    return none;
  } finally {
    process.permission.drop('ffi');
  }
}

const noNewPrivileges = 38;
