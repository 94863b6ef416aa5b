import { type Effect, exceeds } from './effect.ts';
import { DriverError } from './errors.ts';

/** Refuses a statement with a stronger effect than the ceiling. `summary` describes the statement. */
export function assertCeiling(
  { effect, summary }: { effect: Effect; summary: string },
  ceiling: Effect,
): void {
  if (!exceeds(effect, ceiling)) return;
  const why = effect === 'destroy' ? 'this destroys data' : 'this writes, and only reading is allowed here';
  throw new DriverError({ code: 'above_ceiling', needs: effect, message: `${summary}: ${why}` });
}
