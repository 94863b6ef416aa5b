/** The effect of a statement, from weak to strong. A ceiling allows every effect up to itself. */
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
