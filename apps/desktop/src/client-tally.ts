import type { ActivityEntry, Core } from '@trestle/core';

/** A client in the log of this run. */
export interface SeenClient {
  clientName: string;
  tokenName: string;
  calls: number;
  refused: number;
  last: Pick<ActivityEntry, 'at' | 'action' | 'outcome' | 'connectionId'>;
}

const pageSize = 500;

/**
 * Returns a function that counts each client's calls since the app started. Each time, the function adds only the log
 * rows that it has not counted yet.
 */
export function createClientTally(core: Pick<Core, 'activity'>): () => SeenClient[] {
  let seenId = core.activity.list({ limit: 1 })[0]?.id ?? 0;
  const clients = new Map<string, SeenClient>();
  return () => {
    for (const entry of newRows(core, seenId)) {
      seenId = entry.id;
      count(clients, entry);
    }
    return [...clients.values()].sort((a, b) => b.last.at.localeCompare(a.last.at));
  };
}

/** Returns the oldest row first. */
function newRows(core: Pick<Core, 'activity'>, after: number): ActivityEntry[] {
  const rows: ActivityEntry[] = [];
  for (let before: number | undefined; ; ) {
    const page = core.activity.list({ limit: pageSize, ...(before !== undefined && { before }) });
    const fresh = page.filter(({ id }) => id > after);
    rows.push(...fresh);
    if (fresh.length < pageSize) return rows.reverse();
    before = fresh.at(-1)?.id;
  }
}

function count(clients: Map<string, SeenClient>, entry: ActivityEntry): void {
  const { clientName, tokenName, at, action, outcome, connectionId } = entry;
  if (clientName === null || tokenName === null) return;
  const key = JSON.stringify([tokenName, clientName]);
  const known = clients.get(key);
  clients.set(key, {
    clientName,
    tokenName,
    calls: (known?.calls ?? 0) + 1,
    refused: (known?.refused ?? 0) + (outcome === 'denied' ? 1 : 0),
    last: { at, action, outcome, connectionId },
  });
}
