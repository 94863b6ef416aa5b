import type { Permission } from './caller.ts';

export interface Token {
  id: string;
  name: string;
  permission: Permission;
  /** Connection ids. Null allows every connection. */
  allowlist: string[] | null;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface Tokens {
  list(): Token[];
  /** `secret` is the whole token. It is shown only once. */
  create(token: Pick<Token, 'name' | 'permission' | 'allowlist' | 'expiresAt'>): {
    token: Token;
    secret: string;
  };
  revoke(id: string): void;
  remove(id: string): void;
  /** Finds a token by its text. Compares in constant time. Reports `expired` and `revoked` separately. */
  verify(text: string): { ok: true; token: Token } | { ok: false; reason: 'unknown' | 'expired' | 'revoked' };
}
