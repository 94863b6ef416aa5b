import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Caller, Permission } from '@trestle/core';

type ClientToken = Extract<Caller, { kind: 'client' }>['token'];

/** Who a request comes from, as far as it is proved: the token, and for the shared bridge token the process. */
export interface Principal {
  token: ClientToken;
  process: string | null;
}

/** Whose session or limit something is: one key for each token, and for each process behind the bridge's. */
export function principalKey({ token, process }: Principal): string {
  return process === null ? token.id : `${token.id}/${process}`;
}

export function toAuthInfo(principal: Principal): AuthInfo {
  return {
    // The protocol layer has no use for the text, and what it does not have it cannot log.
    token: '',
    clientId: principal.token.id,
    scopes: [...scopes[principal.token.permission]],
    extra: { principal },
  };
}

export function callerOf(context: ServerContext, clientName: string | undefined): Caller {
  const principal = context.http?.authInfo?.extra?.principal as Principal | undefined;
  if (!principal) throw new Error('A call reached a tool without passing authentication');
  return { kind: 'client', ...principal, clientName: plainName(clientName ?? '') };
}

/** The name goes into questions to the user and into the log: as long as a line, and without hidden signs. */
export function plainName(declared: string): string {
  const plain = declared.slice(0, 2_000).replace(/\p{C}/gu, '').trim().slice(0, 200);
  return plain === '' ? 'unknown client' : plain;
}

const scopes: Record<Permission, readonly string[]> = {
  readOnly: ['tools:read', 'resources:read'],
  readWrite: ['tools:read', 'resources:read', 'tools:write'],
  fullAccess: ['tools:read', 'resources:read', 'tools:write', 'admin'],
};
