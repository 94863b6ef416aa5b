import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';

/**
 * Files that the browser downloads itself. A download has no header with the window's key, so each file has its own
 * secret path.
 */
export interface Downloads {
  /** A path that returns the file once, within a minute. */
  offer(open: () => Response | null): string;
  /** Whether `/download/<ticket>` is still valid. */
  has(ticket: string): boolean;
  /** Invalidates all paths. */
  clear(): void;
  readonly routes: Hono;
}

const lifeMs = 60_000;

export function createDownloads(now: () => number = Date.now): Downloads {
  const offers = new Map<string, { open: () => Response | null; until: number }>();
  const valid = (ticket: string) => {
    const offer = offers.get(ticket);
    return offer && offer.until > now() ? offer : undefined;
  };
  const routes = new Hono();
  routes.get('/:ticket', (context) => {
    const ticket = context.req.param('ticket');
    // A prefetch or a HEAD request must not use up the path.
    if (context.req.method !== 'GET' || context.req.header('sec-purpose')) return context.body(null, 503);
    const file = valid(ticket)?.open();
    offers.delete(ticket);
    return file ?? context.text('No file at this address. Start the download again in the window.', 404);
  });
  return {
    routes,
    offer(open) {
      for (const [ticket, { until }] of offers) if (until <= now()) offers.delete(ticket);
      const ticket = randomBytes(32).toString('base64url');
      offers.set(ticket, { open, until: now() + lifeMs });
      return `/download/${ticket}`;
    },
    has: (ticket) => valid(ticket) !== undefined,
    clear: () => offers.clear(),
  };
}
