import { type ActivityEntry, bridgeTokenName, type Core } from '@trestle/core';
import { clients, httpClient } from './clients.ts';

export interface LastCall {
  clientName: string;
  tokenName: string;
  action: string;
  outcome: ActivityEntry['outcome'];
  at: string;
}

/** The newest call of each client, by the client's id. Null if the newest `lookBack` log entries have no such call. */
export function lastCalls(core: Core): Record<string, LastCall | null> {
  const calls = core.activity.list({ limit: lookBack }).filter(isCall).map(toCall);
  const stdio = clients.map(({ id, callsItself }) => {
    const found = calls.find(
      (call) => call.tokenName === bridgeTokenName && callsItself.test(call.clientName),
    );
    return [id, found ?? null] as const;
  });
  const http = calls.find(({ tokenName }) => tokenName !== bridgeTokenName) ?? null;
  return { ...Object.fromEntries(stdio), [httpClient.id]: http };
}

/** The newest call through the bridge, also by a client that `clients` does not list. */
export function lastBridgeCall(core: Core): LastCall | null {
  const found = core.activity
    .list({ limit: lookBack })
    .find((entry) => isCall(entry) && entry.tokenName === bridgeTokenName);
  return found && isCall(found) ? toCall(found) : null;
}

/**
 * The number of log entries to search. With a small number, one busy client would hide the calls of the others. Reading
 * this many entries takes a few milliseconds.
 */
const lookBack = 1_000;

type Call = ActivityEntry & { clientName: string; tokenName: string };

function isCall(entry: ActivityEntry): entry is Call {
  return entry.clientName !== null && entry.tokenName !== null;
}

function toCall({ clientName, tokenName, action, outcome, at }: Call): LastCall {
  return { clientName, tokenName, action, outcome, at };
}
