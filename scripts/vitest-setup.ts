import { build } from './build.ts';

/** Processes under test run from bundles, as they do for a user. */
export default async function setup(): Promise<void> {
  await build();
}
