export type Permission = 'readOnly' | 'readWrite' | 'fullAccess';

export type Caller =
  | { kind: 'person' }
  | {
      kind: 'client';
      token: { id: string; name: string; permission: Permission; allowlist: string[] | null };
      /** The client's own name for itself. Show it, but never trust it. */
      clientName: string;
      /** Identifies a bridge process. All of them share one token. */
      process: string | null;
    };
