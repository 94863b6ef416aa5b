import { AppError, type Caller, type Connection, type Core, oneLine, own } from '@trestle/core';
import { nearestName } from '@trestle/driver-kit';

type Found =
  | { is: 'visible'; connection: Connection }
  /** The text is the id or the name of a connection that the caller may not see. The gate refuses and logs the call. */
  | { is: 'hidden'; id: string }
  | { is: 'ambiguous' }
  | { is: 'unknown' };

/**
 * Finds the connection that a caller means by an id or a name. Tools, resources, prompts, completions and subscriptions
 * all look it up here. A visible connection comes first. A hidden one is refused, never replaced by a visible one with a
 * similar name, also if the text differs from its name only in case, spaces or invisible characters.
 */
export function resolveConnection(core: Core, caller: Caller, text: string): Found {
  const visible = core.connections.visibleTo(caller);
  const named = visible.filter(({ id, name }) => id === text || name === text);
  const chosen = named.find(({ id }) => id === text) ?? named[0];
  if (chosen) {
    const isUnique = chosen.id === text || named.length === 1;
    return isUnique ? { is: 'visible', connection: chosen } : { is: 'ambiguous' };
  }
  const ids = new Set(visible.map(({ id }) => id));
  const hidden = core.connections.list().filter(({ id }) => !ids.has(id));
  const exact = hidden.find(({ id, name }) => id === text || name === text);
  if (exact) return { is: 'hidden', id: exact.id };
  const wanted = folded(text);
  const alike = ({ id, name }: Connection) => folded(id) === wanted || folded(name) === wanted;
  const variant = visible.some(alike) ? undefined : hidden.find(alike);
  return variant ? { is: 'hidden', id: variant.id } : { is: 'unknown' };
}

/** A hidden connection is returned without its name: the gate refuses each call on it. Throws if there is no such name. */
export function findConnection(core: Core, caller: Caller, text: string): { id: string } {
  const found = resolveConnection(core, caller, text);
  switch (found.is) {
    case 'visible':
      return { id: found.connection.id };
    case 'hidden':
      return { id: found.id };
    case 'ambiguous':
      throw new AppError({
        code: 'invalid_argument',
        message: own`Several connections have this name`,
        hint: own`Pass the id from list_connections instead.`,
      });
    case 'unknown':
      throw new AppError({
        code: 'not_found',
        message: own`There is no connection with this name or id`,
        hint: own`Call list_connections for the existing ones.`,
        quoted: suggestion(core, caller, text),
      });
  }
}

/** Depends on visible names only: otherwise a missing suggestion would reveal that a hidden name is near. */
function suggestion(core: Core, caller: Caller, text: string): string | undefined {
  const names = core.connections.visibleTo(caller).map(({ name }) => name);
  const near = nearestName(text, names);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

function folded(text: string): string {
  return oneLine(text.normalize('NFKC')).toLowerCase();
}
