import { type Activity, own, type Tokens } from '@trestle/core';
import { bridgeProcessHeader } from '@trestle/handshake';
import type { HeaderReader } from '../incoming.ts';
import { rpcCode, rpcFailure } from '../rpc.ts';
import { type BridgeToken, bridgeTokenIdentity } from './bridge-token.ts';
import type { Lockout } from './lockout.ts';
import type { Principal } from './principal.ts';

export type Authentication = { ok: true; principal: Principal } | { ok: false; response: Response };

interface BearerOptions {
  tokens: Tokens;
  activity: Activity;
  bridgeToken: BridgeToken;
  lockout: Lockout;
}

/** Identifies the sender by the bearer token, or returns the refusal. */
export function authenticate(headers: HeaderReader, options: BearerOptions): Authentication {
  const { activity, lockout } = options;
  const deny = (detail: string) => activity.record({ action, outcome: 'denied', detail });
  const text = bearerText(headers.get('authorization'));
  const verdict = text === undefined ? ({ is: 'missing' } as const) : judge(text, headers, options);
  const wait = lockout.secondsLeft();
  if (verdict.is === 'valid' && (verdict.spared || wait === 0)) {
    const { id, name } = verdict.principal.token;
    if (lockout.succeeded(id)) activity.record({ action, outcome: 'ok', tokenName: name });
    return { ok: true, principal: verdict.principal };
  }
  // Even during a lockout, a bridge is told that its token has expired. It then reads the new one.
  if (verdict.is === 'valid' || (wait > 0 && verdict.is !== 'bridgeExpired')) {
    // Logged once per lockout: a flood must not fill the log.
    if (lockout.refused()) deny('locked out');
    return { ok: false, response: locked(wait) };
  }
  // Only unknown tokens count for a lockout, because they may be guesses.
  if (verdict.is === 'unknown') lockout.failed();
  if (verdict.is === 'unknown' || (verdict.is !== 'missing' && lockout.tells(verdict.is)))
    deny(denials[verdict.is]);
  return { ok: false, response: unauthenticated(verdict.is) };
}

const action = 'authenticate';

/** The detail in the activity log, which the window shows. */
const denials = {
  unknown: 'unknown token',
  expired: 'expired token',
  bridgeExpired: 'expired bridge token',
};

type Verdict =
  | { is: 'valid'; principal: Principal; spared: boolean }
  | { is: 'unknown' | 'expired' | 'bridgeExpired' };

function judge(text: string, headers: HeaderReader, options: BearerOptions): Verdict {
  const bridge = options.bridgeToken.verify(text);
  if (bridge === 'expired') return { is: 'bridgeExpired' };
  if (bridge === 'valid') {
    const process = bridgeProcess(headers.get(bridgeProcessHeader));
    return { is: 'valid', principal: { token: bridgeTokenIdentity, process }, spared: true };
  }
  const verified = options.tokens.verify(text);
  if (!verified.ok) return { is: verified.reason === 'expired' ? 'expired' : 'unknown' };
  const { id, name, permission, allowlist } = verified.token;
  const principal = { token: { kind: 'user' as const, id, name, permission, allowlist }, process: null };
  return { is: 'valid', principal, spared: options.lockout.knows(id) };
}

function bearerText(header: string | null): string | undefined {
  return header?.match(/^Bearer +(\S+) *$/i)?.[1];
}

/** The name that a bridge gives its own process. It tells bridges apart, but a bridge can send any name. */
function bridgeProcess(header: string | null): string | null {
  return header && /^[\w-]{1,64}$/.test(header) ? header : null;
}

const words = {
  missing: own`Send a token as "Authorization: Bearer <token>"; create one in Settings → Integrations.`,
  unknown: own`The token is not known or was revoked; create one in Settings → Integrations.`,
  expired: own`The token has expired; create a new one in Settings → Integrations.`,
  bridgeExpired: own`The bridge token has expired; read the handshake file again.`,
};

function unauthenticated(is: keyof typeof words): Response {
  return rpcFailure({
    status: 401,
    code: is === 'expired' ? rpcCode.tokenExpired : rpcCode.unauthenticated,
    message: own`Unauthenticated: ${words[is]}`,
    headers: {
      'WWW-Authenticate':
        is === 'missing' ? 'Bearer realm="Trestle"' : 'Bearer realm="Trestle", error="invalid_token"',
    },
  });
}

function locked(seconds: number): Response {
  return rpcFailure({
    status: 429,
    code: rpcCode.rateLimited,
    message: own`Rate limited: too many failed authentications. Wait ${seconds} s, or restart Trestle.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
