import { join } from 'node:path';
import { type Core, createCore } from '@trestle/core';
import { type Logger, openLog } from './log.ts';
import { recoverSessionEnvironment } from './session-environment.ts';

/** The core over this data directory. The caller holds the instance lock and closes it. */
export async function openCore(options: {
  dist: string;
  dataDirectory: string;
  log?: Logger;
}): Promise<Core> {
  const { dist, dataDirectory } = options;
  Object.assign(process.env, await recoverSessionEnvironment());
  return createCore({
    dataDirectory,
    driverFolders: [join(dist, 'drivers')],
    driverHost: join(dist, 'driver-host.js'),
    log: options.log ?? openLog(dataDirectory),
  });
}
