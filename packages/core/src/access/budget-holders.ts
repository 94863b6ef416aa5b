import type { Manifest } from '@trestle/driver-kit';
import type { Caller, Connection, SettingsValues, Token } from '../types.ts';
import { isBridge } from './decide-access.ts';
import type { Holder } from './hourly-budget.ts';
import { placesOf } from './places.ts';

export type Client = Extract<Caller, { kind: 'client' }>;

interface Parts {
  find(connectionId: string): Connection | undefined;
  manifestOf(driver: string): Manifest;
  limits(): Pick<SettingsValues, 'mcpReachPerHour' | 'mcpNewRowsPerHour'>;
  token(id: string): Pick<Token, 'createdAt'> | undefined;
  hourMs: number;
}

export type BudgetHolders = (caller: Client, connectionId: string) => Holder;

/** Creates the function that names the counts of a client on a connection. */
export function createBudgetHolders({ find, manifestOf, limits, token, hourMs }: Parts): BudgetHolders {
  return (caller, connectionId) => {
    const connection = find(connectionId);
    // A connection that was removed and added again, or copied, leads to the same rows.
    const places = [connectionId, ...(connection ? placesOfConnection(connection, manifestOf) : [])];
    const whose = holdersOf(caller, isYoung(token(caller.token.id), hourMs));
    return {
      keys: whose.flatMap((one) => places.map((place) => JSON.stringify([one, place]))),
      limit() {
        const { mcpReachPerHour, mcpNewRowsPerHour } = limits();
        return {
          changed: mcpReachPerHour * (find(connectionId)?.reachLimit ?? 0),
          inserted: mcpNewRowsPerHour,
        };
      },
    };
  };
}

function placesOfConnection({ driver, fields }: Connection, manifestOf: Parts['manifestOf']): string[] {
  try {
    return placesOf(manifestOf(driver), fields);
  } catch {
    // The driver was removed. The connection cannot be opened.
    return [];
  }
}

/**
 * A bridge chooses its own name, so all bridge processes share one count. A program can create tokens, so all tokens of
 * the last hour share a count, and each keeps its own as well.
 */
function holdersOf(caller: Client, isNew: boolean): string[] {
  if (isBridge(caller)) return ['bridge'];
  return [...(isNew ? ['new tokens'] : []), `token ${caller.token.id}`];
}

/** A token from the future is new: the clock was set back. The caller of the command line has no stored token. */
function isYoung(token: Pick<Token, 'createdAt'> | undefined, hourMs: number): boolean {
  return token !== undefined && Date.parse(token.createdAt) + hourMs > Date.now();
}
