import type { Change } from '@trestle/driver-kit';
import { newId, uuidOf } from './write-request.ts';

interface Lanes {
  readonly isEmpty: boolean;
  /** The next changes, in the order in which `next` would give their lanes: the first of each lane. */
  heads(most: number): Change[];
  /** Takes out a waiting lane. The caller then removes the first change of the lane and sends it. */
  next(): Change[] | undefined;
  /** Puts a lane back, unless it is empty. Call this when the change that was removed from the lane is done. */
  goOn(lane: Change[]): void;
  /** Takes all changes of the waiting lanes. */
  rest(): Change[];
}

/** The changes of one object stay in one lane, in their order. Lanes may run in parallel. */
export function lanesOf(changes: Change[]): Lanes {
  const byObject = new Map<string, Change[]>();
  for (const change of changes) {
    const name = objectOf(change);
    const lane = byObject.get(name);
    if (lane) lane.push(change);
    else byObject.set(name, [change]);
  }
  let waiting = [...byObject.values()].reverse();
  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    heads: (most) =>
      waiting
        .slice(Math.max(0, waiting.length - most))
        .reverse()
        .flatMap((lane) => lane[0] ?? []),
    next: () => waiting.pop(),
    goOn: (lane) => {
      if (lane.length > 0) waiting.push(lane);
    },
    rest: () => {
      const left = waiting.reverse().flat();
      waiting = [];
      return left;
    },
  };
}

function objectOf(change: Change): string {
  try {
    const id = change.kind === 'insert' ? newId(change) : uuidOf(change.key);
    return id === null ? `new ${change.id}` : `uuid ${id}`;
  } catch {
    return `new ${change.id}`;
  }
}
