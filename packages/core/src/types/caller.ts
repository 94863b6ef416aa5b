export type Permission = 'readOnly' | 'readWrite' | 'fullAccess';

export type Caller =
  | { kind: 'person' }
  | {
      kind: 'client';
      token: {
        /** `bridge`: the token that all bridge processes share. Its name proves nothing: a user chooses names. */
        kind: 'user' | 'bridge';
        id: string;
        name: string;
        permission: Permission;
        allowlist: string[] | null;
      };
      /** The client's own name for itself. Show it, but never trust it. */
      clientName: string;
      /** Identifies a bridge process: all bridge processes share one token. Null for a client without a bridge. */
      process: string | null;
    };
