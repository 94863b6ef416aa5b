import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/**
 * Removes the rights that the permission model leaves to a driver: to signal other processes, to change their
 * priority, to become another user. Must run before the driver is imported. A driver that imports a
 * replaced function by name cannot call it either.
 */
export function takeAwaySignals(): void {
  for (const name of ofProcess) replace(process, name, `process.${name}`);
  replace(os, 'setPriority', 'os.setPriority');
  syncBuiltinESMExports();
}

/**
 * The permission model refuses some of these functions too. `exit`, `abort` and `reallyExit` are not in this list:
 * they end only this process.
 */
const ofProcess = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  'binding',
  '_linkedBinding',
  'dlopen',
  'execve',
  'initgroups',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setuid',
];

function replace(owner: object, name: string, label: string): void {
  if (!(name in owner)) return;
  const refuse = () => {
    throw Object.assign(new Error(`A driver may not call ${label}`), { code: 'ERR_ACCESS_DENIED' });
  };
  Object.defineProperty(owner, name, {
    value: refuse,
    writable: false,
    configurable: false,
    enumerable: true,
  });
}
