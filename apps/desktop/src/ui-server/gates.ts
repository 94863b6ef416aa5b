import type { HttpBindings } from '@hono/node-server';
import type { Seats } from '@trestle/loopback';
import type { Context, MiddlewareHandler } from 'hono';
import type { Downloads } from '../api/downloads.ts';
import type { Admission, AdmittedWindow } from './admission.ts';

/**
 * A cookie would be sent to every port of this machine, also to another user's server. A header goes only where we
 * send it.
 */
const keyHeader = 'x-trestle-key';

/** `keyGate` passes the admitted window to the routes behind it. */
export type Admitted = { Bindings: HttpBindings; Variables: { window: AdmittedWindow } };

/** Refuses every Host but our own: with DNS rebinding, a foreign page still sends its own name as Host. */
export function hostGate(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? '';
    if (!ownHosts(port()).includes(host)) return context.text('Unknown host', 421);
    return next();
  };
}

/**
 * Refuses requests from other pages, except a GET of a public page. A request that is not a GET must say where it
 * comes from. A "site" ignores ports: every server of this machine is the same site, so `same-site` is refused too.
 */
export function originGate(): MiddlewareHandler {
  return async (context, next) => {
    const site = context.req.header('sec-fetch-site');
    const origin = context.req.header('origin');
    const isGuarded = context.req.method !== 'GET' || isGuardedPath(context.req.path);
    if (isGuarded) {
      const isForeign =
        (site !== undefined && site !== 'same-origin') ||
        (origin !== undefined && origin !== `http://${context.req.header('host')}`) ||
        (context.req.method !== 'GET' && site === undefined && origin === undefined);
      if (isForeign) return context.text('Only Trestle’s own window may do this', 403);
    }
    return next();
  };
}

export function keyGate(admission: Admission, seats: Seats): MiddlewareHandler<Admitted> {
  return async (context, next) => {
    const window = admission.find(context.req.header(keyHeader));
    if (!window) return context.json(notAdmitted, 401);
    if (!takeSeat(context, seats)) return context.json(crowded, 503, { connection: 'close' });
    context.set('window', window);
    return next();
  };
}

/** The path of a download is its key. Without a seat, a download of more than ten seconds would be cut off. */
export function downloadGate(downloads: Pick<Downloads, 'has'>, seats: Seats): MiddlewareHandler<Admitted> {
  return async (context, next) => {
    const isValid = downloads.has(context.req.param('ticket') ?? '');
    if (isValid && !takeSeat(context, seats)) return context.json(crowded, 503, { connection: 'close' });
    return next();
  };
}

/** Returns false if no seat is free. */
function takeSeat({ env: { incoming, outgoing } }: Context<Admitted>, seats: Seats): boolean {
  const leave = seats.prove(incoming.socket);
  if (leave) outgoing.once('close', leave);
  return leave !== false;
}

/** For the answers of all routes and gates. */
export function protectiveHeaders(): MiddlewareHandler {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set('content-security-policy', policy);
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', 'no-referrer');
    headers.set('cross-origin-resource-policy', 'same-origin');
    headers.set('cross-origin-opener-policy', 'same-origin');
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  };
}

function isGuardedPath(path: string): boolean {
  return /^\/(api|data|events|download|enter)(\/|$)/.test(path);
}

const notAdmitted = {
  error: {
    code: 'not_admitted',
    message: 'Trestle does not know this window',
    hint: 'Open Trestle again from its launcher, or run trestle --no-window in a terminal for a code.',
  },
};

const crowded = {
  error: {
    code: 'rate_limited',
    message: 'Too many windows have running requests',
    hint: 'Wait a moment, then try again.',
  },
};

function ownHosts(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}
