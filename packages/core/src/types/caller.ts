export type Permission = 'readOnly' | 'readWrite' | 'fullAccess';

export type Caller =
  | { kind: 'person' }
  | {
      kind: 'client';
      token: { id: string; name: string; permission: Permission; allowlist: string[] | null };
      /** As the client declares itself: good for showing, never for trust. */
      clientName: string;
      /** Tells bridge processes apart, which all share one token. */
      process: string | null;
    };
