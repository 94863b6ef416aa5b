import { build } from './build.ts';

/** Processes under test run from bundles, as for a user. A broken build fails the tests that need it. */
export default async function setup(): Promise<void> {
  try {
    await build();
  } catch (error) {
    console.error(error);
  }
}
