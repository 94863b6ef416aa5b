import { constants } from 'node:os';
import { type Reach, restrictByLandlock } from './landlock.ts';
import { restrictBySeccomp } from './seccomp.ts';
import { openSystemCalls } from './system-calls.ts';

const { SIGKILL } = constants.signals;

/** How the kernel confines a driver's process, in addition to Node's permission model. */
export interface SecondWall {
  /** The version of Landlock. 0: it is not active. */
  landlock: number;
  seccomp: boolean;
}

interface RaisedWall extends SecondWall {
  /** The kernel ends this process when the app is gone. */
  endsWithApp: boolean;
}

/**
 * Must run before the driver is imported, and before Node uses its thread pool: Landlock applies only to this thread
 * and the threads that it starts later. This function needs native calls (FFI), and drops the right to them when it
 * returns.
 */
export function raiseSecondWall(reach: Reach): RaisedWall {
  const none = { landlock: 0, seccomp: false, endsWithApp: false };
  if (!process.permission?.has('ffi')) return none;
  try {
    const system = openSystemCalls();
    if (!system) return none;
    try {
      const endsWithApp = system.call('prctl', signalAtParentsDeath, SIGKILL, 0, 0, 0) === 0;
      if (system.call('prctl', noNewPrivileges, 1, 0, 0, 0) !== 0) return { ...none, endsWithApp };
      const landlock = restrictByLandlock(system, reach);
      return { landlock, seccomp: restrictBySeccomp(system, process), endsWithApp };
    } finally {
      system.close();
    }
  } catch {
    // FFI is experimental: a Node version may have changed it. The driver then runs behind the first wall only, and
    // the log says so.
    return none;
  } finally {
    process.permission.drop('ffi');
  }
}

const signalAtParentsDeath = 1;
const noNewPrivileges = 38;
