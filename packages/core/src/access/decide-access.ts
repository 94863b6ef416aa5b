import { type Effect, exceeds, lowest } from '@trestle/driver-kit';
import type { AppErrorWords } from '../errors.ts';
import { own } from '../own-text.ts';
import type { AiPolicy, Caller, Connection, ExternalClients, Permission, SafeMode } from '../types.ts';

/** The user's answer to a client. The last three say why there was no answer. */
export type ApprovalState = 'unasked' | 'granted' | 'refused' | 'nobody' | 'unanswered' | 'crowded';

export interface AccessQuestion {
  caller: Caller;
  connection: {
    id: string;
    externalClients: ExternalClients;
    aiPolicy: AiPolicy;
    safeMode: SafeMode;
  };
  /** Matters only where the AI policy is Ask Each Time. */
  approval: ApprovalState;
  wanted: Effect;
}

export type AccessDecision =
  /** The caller may do everything up to `ceiling`, which is at least the wanted effect. */
  | { kind: 'allow'; ceiling: Effect }
  /** Only the user's approval is missing. Ask, then decide again. */
  | { kind: 'ask' }
  | { kind: 'refuse'; error: AppErrorWords };

/** The log's name for the token that every stdio bridge shares. What a bridge may do depends on the token's kind. */
export const bridgeTokenName = '__stdio_bridge__';

/** The name of the caller of `trestle query`, if no person has typed the passphrase. */
export const commandLineName = '__command_line__';

/** Whatever the permission of its token says, a bridge never destroys. */
export function isBridge(caller: Caller): boolean {
  return caller.kind === 'client' && caller.token.kind === 'bridge';
}

/**
 * A client's ceiling is the lowest that token permission, External Clients, AI policy and allowlist allow. A person's
 * ceiling depends on Safe Mode alone.
 */
export function decideAccess({ caller, connection, approval, wanted }: AccessQuestion): AccessDecision {
  if (caller.kind === 'person') {
    const ceiling = connection.safeMode === 'readOnly' ? 'read' : 'destroy';
    return exceeds(wanted, ceiling) ? refuse(refusals.safeMode) : { kind: 'allow', ceiling };
  }
  const hidden = hiddenBecause(caller, connection);
  if (hidden) return refuse(hidden);
  const ofToken = tokenCeiling(caller.token);
  const outOfScope = exceeds(wanted, ofToken);
  if (outOfScope && ofToken === 'read') return refuse(scopeRefusal(caller.token, wanted));
  const ofConnection = connectionCeilings[connection.externalClients];
  // Checked before a Read & Write token is refused: that refusal advises Full Access, which would not help here.
  if (exceeds(wanted, ofConnection)) return refuse(refusals.readOnly);
  if (outOfScope) return refuse(scopeRefusal(caller.token, wanted));
  if (connection.aiPolicy === 'askEachTime') {
    if (approval === 'unasked') return { kind: 'ask' };
    if (approval !== 'granted') return refuse(approvalRefusal(approval));
  }
  return { kind: 'allow', ceiling: ceilingOf(caller.token, connection) };
}

/**
 * The reason why the client's token allows no destructive statement on any connection. Undefined for a person, and for
 * a Full Access token that is not the bridge's.
 */
export function cannotDestroy(caller: Caller): AppErrorWords | undefined {
  if (caller.kind === 'person' || !exceeds('destroy', tokenCeiling(caller.token))) return undefined;
  return scopeRefusal(caller.token, 'destroy');
}

/**
 * The connections that a caller may see. For a client, a connection does not exist if it is Blocked, if its AI policy
 * is Never, or if the token's allowlist leaves it out.
 */
export function visibleConnections(caller: Caller, connections: Connection[]): Connection[] {
  if (caller.kind === 'person') return connections;
  return connections.filter((connection) => !hiddenBecause(caller, connection));
}

function hiddenBecause(
  { token }: Extract<Caller, { kind: 'client' }>,
  connection: AccessQuestion['connection'],
): AppErrorWords | undefined {
  if (token.allowlist && !token.allowlist.includes(connection.id)) return refusals.allowlist;
  if (connection.externalClients === 'blocked') return refusals.blocked;
  if (connection.aiPolicy === 'never') return refusals.never;
  return undefined;
}

const permissionCeilings: Record<Permission, Effect> = {
  readOnly: 'read',
  readWrite: 'write',
  fullAccess: 'destroy',
};

const connectionCeilings: Record<ExternalClients, Effect> = {
  // Never used: a `blocked` connection is hidden. The value is the lowest ceiling, to be safe.
  blocked: 'read',
  readOnly: 'read',
  readWrite: 'destroy',
};

type ClientToken = Extract<Caller, { kind: 'client' }>['token'];

/** The strongest effect of a client on a connection that it may use. */
export function ceilingOf(
  token: Pick<ClientToken, 'kind' | 'permission'>,
  connection: Pick<AccessQuestion['connection'], 'externalClients'>,
): Effect {
  return lowest(tokenCeiling(token), connectionCeilings[connection.externalClients]);
}

/** The strongest effect that a token allows on any connection. */
export function tokenCeiling({ kind, permission }: Pick<ClientToken, 'kind' | 'permission'>): Effect {
  const ceiling = permissionCeilings[permission];
  return kind === 'bridge' ? lowest(ceiling, 'write') : ceiling;
}

function scopeRefusal({ kind }: ClientToken, wanted: Effect): AppErrorWords {
  if (wanted === 'destroy') {
    return kind === 'bridge' ? refusals.bridgeDestroys : refusals.scopeDestroy;
  }
  return refusals.scopeWrite;
}

function approvalRefusal(approval: Exclude<ApprovalState, 'unasked' | 'granted'>): AppErrorWords {
  if (approval === 'nobody') return refusals.nobodyToAsk;
  if (approval === 'refused') return refusals.notApproved;
  return approval === 'crowded' ? refusals.tooManyQuestions : refusals.unanswered;
}

const namesAddress = own`The settings of a collection name an address that would get a stored key of this connection`;

/** Why a stored key may not go to an address. `program`: a program without the administrator passphrase. */
export function endpointRefusal(
  approval: Exclude<ApprovalState, 'granted'> | 'program',
  table: string,
): AppErrorWords {
  if (approval === 'unanswered') return refusals.unanswered;
  if (approval === 'crowded') return refusals.tooManyQuestions;
  const [why, hint] =
    approval === 'refused'
      ? [
          own`the user did not approve it`,
          own`Do not repeat it. Ask the user what to do instead; a refusal holds for 60 seconds.`,
        ]
      : [
          own`the user has not approved it`,
          approval === 'program'
            ? own`Do it in the window, or type the administrator passphrase at a terminal.`
            : own`Open the app and try again, or do it in the app's window.`,
        ];
  return {
    code: 'endpoint_unapproved',
    message: own`${namesAddress}, and ${why}. Nothing was sent`,
    hint,
    quoted: table,
  };
}

/** Why a destructive statement does not run. Undefined if the user approved it. */
export function destroyRefusal(approval: ApprovalState): AppErrorWords | undefined {
  if (approval === 'granted') return undefined;
  if (approval === 'nobody' || approval === 'unasked') return refusals.nobodyToConfirm;
  if (approval === 'refused') return refusals.destroyRefused;
  return approval === 'crowded' ? refusals.tooManyQuestions : refusals.unanswered;
}

function refuse(error: AppErrorWords): AccessDecision {
  return { kind: 'refuse', error };
}

const advanced = own`the connection's Advanced section`;

const refusals = {
  safeMode: {
    code: 'read_only',
    message: own`Connection is read only: its Safe Mode is Read Only`,
    hint: own`Change Safe Mode in ${advanced}.`,
  },
  allowlist: {
    code: 'forbidden',
    message: own`Forbidden: the token's allowlist does not include this connection`,
    hint: own`Use a token that includes it; Settings → Integrations → Authentication makes one.`,
  },
  blocked: {
    code: 'forbidden',
    message: own`Forbidden: External Clients is Blocked on this connection`,
    hint: own`Change External Clients in ${advanced}.`,
  },
  never: {
    code: 'forbidden',
    message: own`Forbidden: the connection's AI Policy is Never`,
    hint: own`Change AI Policy in ${advanced}.`,
  },
  scopeWrite: {
    code: 'forbidden',
    message: own`Forbidden: the token is Read Only`,
    hint: own`Use a token with Read & Write permission (Settings → Integrations → Authentication).`,
  },
  scopeDestroy: {
    code: 'forbidden',
    message: own`Forbidden: the token does not have Full Access, which destructive operations need`,
    hint: own`Use a token with Full Access, or run the statement in the app.`,
  },
  bridgeDestroys: {
    code: 'forbidden',
    message: own`Forbidden: the stdio bridge runs nothing destructive`,
    hint: own`Run it in the app, or over HTTP with a Full Access token.`,
  },
  readOnly: {
    code: 'read_only',
    message: own`Connection is read only for external clients`,
    hint: own`Change External Clients in ${advanced}, or run the query in the app's editor.`,
  },
  notApproved: {
    code: 'not_approved',
    message: own`The user did not approve access to this connection`,
    hint: own`Ask the user to approve it, or to set AI Policy to Always Allow in ${advanced}. A refusal holds for 60 seconds.`,
  },
  nobodyToAsk: {
    code: 'not_approved',
    message: own`AI Policy is Ask Each Time and the app has no window to ask in`,
    hint: own`Open the app and try again, or set AI Policy to Always Allow in ${advanced}.`,
  },
  unanswered: {
    code: 'not_approved',
    message: own`The user did not answer in time`,
    hint: own`Ask the user to look at the app, then try again.`,
  },
  tooManyQuestions: {
    code: 'not_approved',
    message: own`Too many questions already wait for the user`,
    hint: own`Wait until they are answered, then try again.`,
  },
  destroyRefused: {
    code: 'not_approved',
    message: own`The user did not approve this statement`,
    hint: own`Do not repeat it. Ask the user what to do instead; a refusal holds for 60 seconds.`,
  },
  nobodyToConfirm: {
    code: 'not_approved',
    message: own`A destructive statement needs approval in the app, and the app has no window to ask in`,
    hint: own`Open the app and try again, or run the statement in the app's editor.`,
  },
} as const satisfies Record<string, AppErrorWords>;
