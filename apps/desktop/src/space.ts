import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Core, LogUse } from '@trestle/core';
import { exportsUse } from '@trestle/mcp-server';
import { logBytes } from './log.ts';

export interface SpaceUse extends LogUse {
  exports: { files: number; bytes: number };
  logs: { bytes: number };
  maps: { maps: number; bytes: number };
  /** The free space on the data directory's disk. */
  freeBytes: number;
}

/** The space in use, by kind of data, and the free space. May look at many files, so call it only to show the result. */
export async function spaceUse(core: Core, dataDirectory: string): Promise<SpaceUse> {
  const { bavail, bsize } = statfsSync(dataDirectory);
  return {
    ...core.logUse(),
    exports: await exportsUse(join(dataDirectory, 'exports')),
    logs: { bytes: logBytes(dataDirectory) },
    maps: core.maps.use(),
    freeBytes: bavail * bsize,
  };
}
