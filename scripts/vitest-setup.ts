import { build } from './build.ts';

/** Processes under test run from bundles, as for a user. A failed build does not stop the run: many tests need none. */
export default async function setup(): Promise<void> {
  try {
    await build();
  } catch (error) {
    console.error(error);
  }
}
