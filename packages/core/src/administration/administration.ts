import { AppError, isAppError } from '../errors.ts';
import type {
  Activity,
  ActivityEntry,
  Actor,
  Administration,
  ApprovalsQueue,
  Connection,
  Connections,
  Copies,
  Door,
  Exports,
  Imports,
  Masking,
  Passphrase,
  Tokens,
} from '../types.ts';
import { raisedLevels } from './raised-levels.ts';

interface Parts {
  connections: Connections;
  tokens: Tokens;
  approvals: ApprovalsQueue;
  activity: Activity;
  passphrase: Passphrase;
  imports: Pick<Imports, 'begin'>;
  copies: Pick<Copies, 'begin'>;
  exports: Pick<Exports, 'begin'>;
}

/** Every act of administration goes through here, so none skips the check or the log. */
export function createAdministration(parts: Parts, actor: Actor): Administration {
  const { connections, tokens, approvals, activity, passphrase, imports, copies, exports } = parts;

  async function act<T>(what: Act, work: () => T | Promise<T>): Promise<T> {
    const record = (outcome: ActivityEntry['outcome'], problem?: string) =>
      activity.record({
        action: what.action,
        connectionId: what.connectionId ?? null,
        outcome,
        detail: [`Through ${doors[actor.door]}`, what.about, problem].filter(Boolean).join(': '),
      });
    try {
      const result = await work();
      record('ok');
      return result;
    } catch (error) {
      const isDenied = isAppError(error) && ['passphrase_needed', 'forbidden'].includes(error.code);
      record(isDenied ? 'denied' : 'error', error instanceof Error ? error.message : undefined);
      throw error;
    }
  }

  async function personOnly(what: string): Promise<void> {
    if (!actor.isPerson) throw onlyThePerson(what, await passphrase.isSet());
  }

  // A program could send a stored key to a server of its own.
  const secretsFor = actor.isPerson ? ('anyFields' as const) : ('sameFields' as const);

  return {
    createToken: (draft) =>
      act({ action: 'create_token', about: `"${draft.name}", ${draft.permission}` }, async () => {
        if (draft.permission === 'fullAccess') await personOnly('Making a Full Access token');
        return tokens.create(draft);
      }),
    revokeToken: (id) => act({ action: 'revoke_token', about: id }, () => tokens.revoke(id)),
    removeToken: (id) => act({ action: 'remove_token', about: id }, () => tokens.remove(id)),
    createConnection: (draft) =>
      act({ action: 'create_connection', about: `"${draft.name}"` }, () => connections.create(draft)),
    updateConnection: (id, draft) =>
      act({ action: 'update_connection', about: `"${draft.name}"`, connectionId: id }, () =>
        connections.update(id, draft, {
          secretsFor,
          async check(before, after) {
            const raised = raisedLevels(before, after);
            if (raised.length > 0) await personOnly(`Raising what clients may do (${raised.join('; ')})`);
          },
        }),
      ),
    removeConnection: (id) =>
      act({ action: 'remove_connection', about: connections.get(id)?.name, connectionId: id }, () =>
        connections.remove(id),
      ),
    importConnections(drafts, { replace, dryRun }) {
      if (dryRun) return connections.importAll(drafts, { replace, dryRun });
      const about = drafts
        .map(({ name }) => `"${name}"`)
        .join(', ')
        .slice(0, 500);
      return act({ action: 'import_connections', about }, () =>
        connections.importAll(drafts, {
          replace,
          dryRun,
          async check(summaries) {
            const raised = summaries.filter(({ raises }) => raises.length > 0);
            if (raised.length === 0) return;
            const words = raised.map(({ name, raises }) => `"${name}": ${raises.join('; ')}`);
            await personOnly(`Raising what clients may do (${words.join('. ')})`);
          },
        }),
      );
    },
    beginImport: (target, signal) =>
      act(
        { action: 'import_rows', about: `into ${target.table}`, connectionId: target.connectionId },
        async () => {
          const connection = connections.get(target.connectionId);
          if (!isOpenTo('write', connection)) {
            await personOnly(
              'Importing into a connection that is not open to AI clients without a question (Always Allow, Read & Write, no masking)',
            );
          }
          const { replace, rows = Number.POSITIVE_INFINITY } = target;
          const reach = connection?.reachLimit ?? 0;
          // Each row of the file may replace one. What a client changes beyond the limit needs the user's yes.
          if (replace && rows > reach) {
            await personOnly(`Replacing more than ${reach} rows, the reach limit of this connection,`);
          }
          return imports.begin(actor.isPerson ? target : { ...target, mostReplaced: reach }, signal);
        },
      ),
    beginCopy: (request) => {
      const { from, to } = request;
      const about = `${from.table} to ${to.table}`;
      return act({ action: 'copy_table', about, connectionId: to.connectionId }, async () => {
        // A program with a shell must not copy rows that it may not read to a place where it may.
        if (![from, to].every(({ connectionId }) => isOpenTo('write', connections.get(connectionId)))) {
          await personOnly(
            'Copying between connections that are not both open to AI clients without a question (Always Allow, Read & Write, no masking)',
          );
        }
        return copies.begin(request);
      });
    },
    beginExport: (request, signal) =>
      act(
        { action: 'export_rows', about: `of ${request.table}`, connectionId: request.connectionId },
        async () => {
          if (!isOpenTo('read', connections.get(request.connectionId))) {
            await personOnly(
              'Exporting from a connection that is not open to AI clients without a question (Always Allow, not Blocked, no masking)',
            );
          }
          return exports.begin(request, signal);
        },
      ),
    answer: (questionId, answer) =>
      act({ action: 'answer_question', about: answer }, async () => {
        await personOnly('Answering the question of a client');
        approvals.answer(questionId, answer);
      }),
    withdrawApproval: (id) => {
      const held = approvals.granted().find((one) => one.id === id);
      const about = held && `"${held.clientName}"`;
      const connectionId = held?.connection.id;
      return act({ action: 'withdraw_approval', about, connectionId }, () => approvals.withdraw(id));
    },
    setPassphrase: (given) => act({ action: 'set_passphrase' }, () => passphrase.set(given)),
  };
}

/**
 * A program with a shell could use the command line to go round the levels of a connection. So it gets there what an
 * AI client gets without a question, and no more.
 */
function isOpenTo(wants: 'read' | 'write', connection: Connection | undefined): boolean {
  if (connection?.aiPolicy !== 'alwaysAllow' || isMasked(connection.masking)) return false;
  const { externalClients } = connection;
  return wants === 'read' ? externalClients !== 'blocked' : externalClients === 'readWrite';
}

function isMasked(masking: Masking | undefined): boolean {
  return masking !== undefined && (masking.columns.length > 0 || masking.patterns.length > 0);
}

interface Act {
  action: string;
  about?: string;
  connectionId?: string;
}

const doors: Record<Door, string> = {
  window: "Trestle's window",
  link: 'a window opened by a printed link',
  commandLine: 'the command line',
};

function onlyThePerson(what: string, isSet: boolean): AppError {
  const window = 'use the window that Trestle itself opens';
  if (!isSet) {
    return new AppError({
      code: 'forbidden',
      message: `${what} needs the administrator passphrase here, and none is set`,
      hint: `Set one at a terminal with \`trestle passphrase set\`, or ${window}.`,
    });
  }
  return new AppError({
    code: 'passphrase_needed',
    message: `${what} needs the administrator passphrase here`,
    hint: `Type it at a terminal or in the window, or ${window}.`,
  });
}
