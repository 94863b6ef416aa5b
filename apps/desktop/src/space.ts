import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Core, LogUse } from '@trestle/core';
import { exportsUse } from '@trestle/mcp-server';
import { logBytes } from './log.ts';

export interface SpaceUse extends LogUse {
  exports: { files: number; bytes: number };
  logs: { bytes: number };
  maps: { maps: number; bytes: number };
  /** Of the disk that holds the data directory. */
  freeBytes: number;
}

/** The files that Trestle keeps by itself, and the room there is. Walks over files: for a page that shows it. */
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
