import type { Effect } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import type { Caller, Connection, DataAccess } from '../types.ts';
import type { Approvals, CallSubject, Loss } from './approvals.ts';
import { type AccessDecision, decideAccess, destroyRefusal } from './decide-access.ts';

export interface Gate {
  /** Waits for the user where the policy says so. Gives the ceiling; throws the refusal. */
  admit(entry: Entry): Promise<Effect>;
  /** Waits for the user's answer to this one statement; throws the refusal, of the levels by then too. */
  confirm(
    access: Pick<DataAccess, 'caller' | 'connectionId' | 'signal'>,
    loss: Loss,
    signal: AbortSignal,
  ): Promise<void>;
  /** The refusal a caller gets for an effect, where there is one; asks nobody. */
  refusal(
    access: Pick<DataAccess, 'caller' | 'connectionId' | 'signal'>,
    wanted: Effect,
  ): AppError | undefined;
  /** Whether the caller has no approval yet, or was refused it; asks nobody. */
  needsApproval(caller: Caller, connectionId: string, wanted: Effect): boolean;
}

export interface Entry {
  caller: Caller;
  connectionId: string;
  wanted: Effect;
  /** Shown to the user where one is asked. */
  subject: CallSubject;
  signal: AbortSignal;
  /** Of the whole request, which may make several calls: the user may allow it once. */
  request: AbortSignal;
}

export function createGate(find: (id: string) => Connection | undefined, approvals: Approvals): Gate {
  function decide(
    caller: Caller,
    connectionId: string,
    wanted: Effect,
    request?: AbortSignal,
  ): AccessDecision {
    const connection = required(connectionId);
    const approval =
      connection.aiPolicy === 'askEachTime' ? approvals.state(caller, connectionId, request) : 'unasked';
    return decideAccess({ caller, connection, approval, wanted });
  }

  function required(connectionId: string): Connection {
    const connection = find(connectionId);
    if (connection) return connection;
    throw new AppError({ code: 'not_found', message: 'There is no connection with this id' });
  }

  return {
    async admit({ caller, connectionId, wanted, subject, signal, request }) {
      let decision = decide(caller, connectionId, wanted, request);
      if (decision.kind === 'ask' && caller.kind === 'client') {
        const approval = await approvals.ask(caller, required(connectionId), subject, { signal, request });
        // The levels may have changed while the user was thinking.
        decision = decideAccess({ caller, connection: required(connectionId), approval, wanted });
      }
      if (decision.kind === 'allow') return decision.ceiling;
      throw new AppError(decision.kind === 'refuse' ? decision.error : undecided);
    },
    async confirm({ caller, connectionId, signal: request }, loss, signal) {
      if (caller.kind === 'person') return;
      const approval = await approvals.askToDestroy(caller, required(connectionId), loss, signal);
      const refusal = destroyRefusal(approval);
      if (refusal) throw new AppError(refusal);
      // The levels may have changed while the user was thinking.
      const decision = decide(caller, connectionId, 'destroy', request);
      if (decision.kind !== 'allow')
        throw new AppError(decision.kind === 'refuse' ? decision.error : undecided);
    },
    refusal({ caller, connectionId, signal: request }, wanted) {
      const decision = decide(caller, connectionId, wanted, request);
      return decision.kind === 'refuse' ? new AppError(decision.error) : undefined;
    },
    needsApproval: (caller, connectionId, wanted) => decide(caller, connectionId, wanted).kind !== 'allow',
  };
}

const undecided = {
  code: 'not_approved',
  message: 'The user has not approved access to this connection',
} as const;
