import type { SpawnSyncReturns } from 'node:child_process';

export function nodeTrouble(version: string): string | undefined;
export function startTrouble(
  result: Pick<SpawnSyncReturns<string>, 'status' | 'stderr' | 'error'>,
): string | undefined;
export function leftOut(
  packages: Record<string, { optional?: boolean; os?: string[]; cpu?: string[]; libc?: string[] }>,
  folder?: string,
): string[];
