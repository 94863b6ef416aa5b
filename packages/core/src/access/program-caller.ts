import type { Caller } from '../types.ts';
import { commandLineName } from './decide-access.ts';

/**
 * A program's statement counts as the call of a client with this token. All programs count as one client, because a
 * program can start any number of commands.
 */
export const programCaller: Extract<Caller, { kind: 'client' }> = {
  kind: 'client',
  token: {
    kind: 'user',
    id: commandLineName,
    name: commandLineName,
    permission: 'readWrite',
    allowlist: null,
  },
  clientName: 'trestle query',
  process: null,
};
