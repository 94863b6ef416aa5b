import { TestRunner } from 'vitest';

/** Skips the running test, with the reason, unless it applies to the driver and the database. */
export function needs(condition: unknown, reason: string): asserts condition {
  if (!condition) TestRunner.getCurrentTest()!.context.skip(reason);
}
