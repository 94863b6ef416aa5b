import type { Core } from '@trestle/core';
import type { Logger } from '../log.ts';
import { openNodeSample } from './node-sample.ts';
import { makeSqliteSampleOnce } from './sqlite-sample.ts';

/** The samples of the first start. What goes wrong with them is logged: the app works without. */
export async function openSamples(
  core: Core,
  options: { dist: string; dataDirectory: string; log: Logger },
): Promise<{ close(): Promise<void> }> {
  const logged = (error: unknown) => options.log.error({ err: error }, 'a sample could not be made');
  const node = await openNodeSample(core, options).catch(logged);
  await makeSqliteSampleOnce(core, options).catch(logged);
  return { close: async () => node?.close() };
}
