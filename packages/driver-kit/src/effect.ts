import { DriverError } from './errors.ts';

/** The effect of a statement, from weak to strong. A ceiling allows everything up to itself. */
export type Effect = 'read' | 'write' | 'destroy';

const order: Record<Effect, number> = { read: 0, write: 1, destroy: 2 };

export function exceeds(effect: Effect, ceiling: Effect): boolean {
  return order[effect] > order[ceiling];
}

export function lowest(...effects: [Effect, ...Effect[]]): Effect {
  return effects.reduce((low, next) => (order[next] < order[low] ? next : low));
}

export function strongest(...effects: [Effect, ...Effect[]]): Effect {
  return effects.reduce((high, next) => (order[next] > order[high] ? next : high));
}

/** Refuses a statement with a stronger effect than the ceiling. `summary` describes the statement. */
export function assertCeiling(
  { effect, summary }: { effect: Effect; summary: string },
  ceiling: Effect,
): void {
  if (!exceeds(effect, ceiling)) return;
  const why = effect === 'destroy' ? 'this destroys data' : 'this writes, and only reading is allowed here';
  throw new DriverError({ code: 'above_ceiling', needs: effect, message: `${summary}: ${why}` });
}
