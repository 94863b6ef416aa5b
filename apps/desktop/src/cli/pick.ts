import { AppError } from '@trestle/core';
import { nearestName } from '@trestle/driver-kit';

/** The item with this id, or else the only item with this name. */
export function pick<Thing extends { id: string; name: string }>(
  kind: string,
  things: Thing[],
  nameOrId: string,
): Thing {
  const byId = things.find((thing) => thing.id === nameOrId);
  if (byId) return byId;
  const named = things.filter((thing) => thing.name === nameOrId);
  if (named.length === 1) return named[0]!;
  if (named.length === 0) {
    const near = nearestName(
      nameOrId,
      things.map(({ name }) => name),
    );
    throw new AppError({
      code: 'not_found',
      message: `There is no ${kind} "${nameOrId}"`,
      ...(near !== undefined && { hint: `Did you mean "${near}"?` }),
    });
  }
  throw new AppError({
    code: 'conflict',
    message: `${named.length} ${kind}s are named "${nameOrId}"`,
    hint: `Use an id: ${named.map((thing) => thing.id).join(', ')}`,
  });
}
