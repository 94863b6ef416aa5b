import type { ServerContext } from '@modelcontextprotocol/server';
import type { Asked } from './keep-alive.ts';

/** A call that comes through the protocol layer. */
export function askedOf({ mcpReq }: ServerContext): Asked {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    tell:
      progressToken === undefined
        ? undefined
        : (progress) => {
            const params = { progressToken, ...progress };
            // A client that has gone away is told nothing; its signal ends the call.
            mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
          },
  };
}
