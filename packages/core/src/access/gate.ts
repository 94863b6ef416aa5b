import type { Effect, EndpointNeed } from '@trestle/driver-kit';
import { AppError, type AppErrorWords, noConnection } from '../errors.ts';
import { own } from '../own-text.ts';
import type { Caller, Connection, DataAccess, OneTimeQuestion } from '../types.ts';
import { type Approvals, type CallSubject, endpointQuestion } from './approvals.ts';
import { type AccessDecision, decideAccess, destroyRefusal, endpointRefusal } from './decide-access.ts';

export interface Gate {
  /** Waits for the user if the policy says so. Returns the ceiling, or throws the refusal. */
  admit(entry: Entry): Promise<Effect>;
  /**
   * Waits for the user's answer to this one statement of a client. Throws if the user does not approve it, or if the
   * levels were lowered meanwhile. A person is not asked.
   */
  confirm(
    access: Pick<DataAccess, 'caller' | 'connectionId' | 'signal'>,
    question: OneTimeQuestion & { kind: 'destroy' },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Waits until the user lets the database send stored keys to these addresses. Throws if the user does not. A program
   * is refused: the user is at no window then.
   */
  approveEndpoints(
    access: Pick<DataAccess, 'caller' | 'connectionId'>,
    need: EndpointNeed,
    signal: AbortSignal,
  ): Promise<void>;
  /** The refusal that a caller would get for an effect, if any. Asks nobody. */
  refusal(
    access: Pick<DataAccess, 'caller' | 'connectionId' | 'signal'>,
    wanted: Effect,
  ): AppError | undefined;
  /** True if the user must first approve the call, or if the gate refuses it. Asks nobody. */
  needsApproval(caller: Caller, connectionId: string, wanted: Effect): boolean;
}

export interface Entry {
  caller: Caller;
  connectionId: string;
  wanted: Effect;
  /** Shown to the user in the question. */
  subject: CallSubject;
  signal: AbortSignal;
  /** The signal of the whole request, which may make several calls. "Allow once" holds for this request. */
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
    const approval = approvals.state(caller, connectionId, request);
    return decideAccess({ caller, connection, approval, wanted });
  }

  function required(connectionId: string): Connection {
    const connection = find(connectionId);
    if (connection) return connection;
    throw noConnection();
  }

  /** Nobody could be asked in a window. The refusal names the command that answers the question at a terminal. */
  async function leftRefusal(
    { hint = [], ...refusal }: AppErrorWords,
    caller: Extract<Caller, { kind: 'client' }>,
    connectionId: string,
    wanted: CallSubject | OneTimeQuestion,
  ): Promise<AppError> {
    const way = await approvals.leave(caller, required(connectionId), wanted);
    return new AppError({ ...refusal, hint: [hint, way].flat() });
  }

  return {
    async admit({ caller, connectionId, wanted, subject, signal, request }) {
      const since = performance.now();
      let decision = decide(caller, connectionId, wanted, request);
      if (decision.kind === 'ask' && caller.kind === 'client') {
        const approval = await approvals.ask(caller, required(connectionId), subject, { signal, request });
        // The user may have changed the levels while the question was open.
        decision = decideAccess({ caller, connection: required(connectionId), approval, wanted });
        if (approval === 'nobody' && decision.kind === 'refuse' && decision.error.code === 'not_approved') {
          throw await leftRefusal(decision.error, caller, connectionId, subject);
        }
      }
      if (decision.kind === 'allow') {
        // Note the admission under every AI policy. The refusal of a bridge process also covers bridge processes that had
        // no admitted call before that refusal.
        if (caller.kind === 'client') approvals.noteAdmitted(caller, since);
        return decision.ceiling;
      }
      throw new AppError(decision.kind === 'refuse' ? decision.error : undecided);
    },
    async confirm({ caller, connectionId, signal: request }, question, signal) {
      if (caller.kind === 'person') return;
      const approval = await approvals.askOnce(caller, required(connectionId), question, signal);
      const refusal = destroyRefusal(approval);
      if (refusal && approval === 'nobody') {
        throw await leftRefusal(refusal, caller, connectionId, question);
      }
      if (refusal) throw new AppError(refusal);
      // The user may have changed the levels while the question was open.
      const decision = decide(caller, connectionId, 'destroy', request);
      if (decision.kind !== 'allow')
        throw new AppError(decision.kind === 'refuse' ? decision.error : undecided);
    },
    async approveEndpoints({ caller, connectionId }, need, signal) {
      const question = endpointQuestion(need);
      if (caller.kind === 'person') throw new AppError(endpointRefusal('program', question.table));
      const approval = await approvals.askForEndpoints(caller, required(connectionId), need, signal);
      if (approval === 'granted') return;
      const refusal = endpointRefusal(approval, question.table);
      if (approval === 'nobody') throw await leftRefusal(refusal, caller, connectionId, question);
      throw new AppError(refusal);
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
  message: own`The user has not approved access to this connection`,
} as const;
