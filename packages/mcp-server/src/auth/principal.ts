import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Caller, Permission } from '@trestle/core';

type ClientToken = Extract<Caller, { kind: 'client' }>['token'];

/** The sender of a request. All bridge processes share one token, so for that token `process` tells them apart. */
export interface Principal {
  token: ClientToken;
  process: string | null;
}

/** One key per token. For the bridge's token, one key per process. */
export function principalKey({ token, process }: Principal): string {
  return process === null ? token.id : `${token.id}/${process}`;
}

export function toAuthInfo(principal: Principal): AuthInfo {
  return {
    // The token's text is left out: the protocol layer does not need the text, and might log it.
    token: '',
    clientId: principal.token.id,
    scopes: [...scopes[principal.token.permission]],
    extra: { principal },
  };
}

export function principalOf(authInfo: AuthInfo | undefined): Principal | undefined {
  return authInfo?.extra?.principal as Principal | undefined;
}

export function callerOf(context: ServerContext, clientName: string | undefined): Caller {
  const principal = principalOf(context.http?.authInfo);
  if (!principal) throw new Error('A call was not authenticated');
  return { kind: 'client', ...principal, clientName: plainName(clientName ?? '') };
}

/**
 * Makes the name one line without hidden characters, because questions to the user and the log show it. A question quotes
 * the name, so a name with such quotes could look like the rest of the question.
 */
export function plainName(declared: string): string {
  const short = declared
    .slice(0, 2_000)
    .replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/["“”„‟]/g, "'")
    .trim()
    .slice(0, 200);
  // The cut may have left half of a character.
  const plain = short.replace(/\p{Cs}$/u, '');
  return plain === '' ? 'unknown client' : plain;
}

const scopes: Record<Permission, readonly string[]> = {
  readOnly: ['tools:read', 'resources:read'],
  readWrite: ['tools:read', 'resources:read', 'tools:write'],
  fullAccess: ['tools:read', 'resources:read', 'tools:write', 'admin'],
};
