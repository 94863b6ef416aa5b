export interface Target {
  name: string;
  /** Files and folders whose change makes the target stale. */
  inputs: string[];
  /** In `dist`. */
  outputs: string[];
}

export const root: string;
export const dist: string;
export function listTargets(): Target[];
export function readKitVersion(): string;
export function listDrivers(): { id: string; version: string; isBundled: boolean }[];
export function isStale(): boolean;
export function isBuilt(target: Target, fingerprint: string): boolean;
export function markBuilt(target: Target, fingerprint: string): void;
export function fingerprintOf(target: Target): string;
