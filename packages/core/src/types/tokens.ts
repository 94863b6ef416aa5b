import type { Permission } from './caller.ts';

export interface Token {
  id: string;
  name: string;
  permission: Permission;
  /** Connection ids; null admits every connection. */
  allowlist: string[] | null;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface Tokens {
  list(): Token[];
  /** `secret` is the whole token, shown this once. */
  create(token: Pick<Token, 'name' | 'permission' | 'allowlist' | 'expiresAt'>): {
    token: Token;
    secret: string;
  };
  revoke(id: string): void;
  remove(id: string): void;
  /** The token whose text this is, in constant time; `expired` and `revoked` told apart for the error. */
  verify(text: string): { ok: true; token: Token } | { ok: false; reason: 'unknown' | 'expired' | 'revoked' };
}
