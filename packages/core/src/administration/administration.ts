import { amount } from '@trestle/driver-kit';
import type { ProgramBudget } from '../access/program-budget.ts';
import { AppError, isAppError, noConnection } from '../errors.ts';
import type {
  Activity,
  ActivityEntry,
  Actor,
  Acts,
  Administration,
  ApprovalsQueue,
  Connection,
  Connections,
  Copies,
  Data,
  DataAccess,
  Door,
  Exports,
  Imports,
  Passphrase,
  ProgramRights,
  Settings,
  Tokens,
} from '../types.ts';
import { isOpenTo, notOpen, type ProgramWork, programRights } from './program-rights.ts';
import { levelsAboveDefault, raisedLevels, raisedSettings } from './raised-levels.ts';
import { runStatement, type StatementData } from './run-statement.ts';

interface Parts {
  connections: Connections;
  tokens: Tokens;
  approvals: ApprovalsQueue;
  activity: Activity;
  passphrase: Passphrase;
  settings: Settings;
  imports: Pick<Imports, 'begin'>;
  copies: Pick<Copies, 'begin'>;
  acts: Acts;
  exports: Pick<Exports, 'begin'>;
  data: StatementData & Pick<Data, 'readDesign' | 'planDesign'>;
  budget: ProgramBudget;
}

/** All doors use the returned object for their acts, so that the acts are checked and logged in one place. */
export function createAdministration(parts: Parts, actor: Actor): Administration {
  const {
    connections,
    tokens,
    approvals,
    activity,
    passphrase,
    settings,
    imports,
    copies,
    acts,
    exports,
    data,
    budget,
  } = parts;

  function record(what: Act, outcome: ActivityEntry['outcome'], problem?: string): void {
    activity.record({
      action: what.action,
      connectionId: what.connectionId ?? null,
      outcome,
      detail: [`Through ${doors[actor.door]}`, what.about, problem].filter(Boolean).join(': '),
    });
  }

  async function act<T>(what: Act, work: () => T | Promise<T>): Promise<T> {
    try {
      const result = await work();
      record(what, 'ok');
      return result;
    } catch (error) {
      record(what, isDenial(error) ? 'denied' : 'error', error instanceof Error ? error.message : undefined);
      throw error;
    }
  }

  /** Undefined for a person, who is not limited. */
  function rightsOf(work: ProgramWork, what: Act): ProgramRights | undefined {
    const onClosed = (problem: string) => record(what, 'denied', problem);
    return actor.isPerson ? undefined : programRights(work, { connections, budget, onClosed });
  }

  /** Without this check, a program would be told that a removed connection is masked or blocked. */
  function existing(id: string): Connection {
    const connection = connections.get(id);
    if (!connection) throw noConnection();
    return connection;
  }

  async function personOnly(what: string): Promise<void> {
    if (!actor.isPerson) throw onlyThePerson(what, actor.door, await passphrase.isSet());
  }

  /**
   * Once a passphrase is set, a program may only give the default levels to a database. Otherwise it could remove a
   * connection and add it again with other levels. `raised` needs the person even if no passphrase is set.
   */
  async function assertMayGive(given: GivenLevels[]): Promise<void> {
    const isGuarded = await passphrase.isSet();
    const words = given.flatMap(({ name, raised, aboveDefault }) => {
      const levels = [
        ...raised,
        ...(isGuarded ? aboveDefault.filter((one) => !namesLevel(raised, one)) : []),
      ];
      if (levels.length === 0) return [];
      return [`${name === undefined ? '' : `"${name}": `}${levels.join('; ')}`];
    });
    if (words.length > 0) await personOnly(`Giving clients more rights (${words.join('. ')})`);
  }

  /** A program may design tables where it may write: a definition may have texts that are closed to it. */
  async function forDesigns(connectionId: string, signal: AbortSignal): Promise<DataAccess> {
    if (!isOpenTo('write', existing(connectionId))) {
      await personOnly(`Designing tables on a connection that is ${notOpen('write')}`);
    }
    return { caller: { kind: 'person' }, isProgram: !actor.isPerson, connectionId, signal };
  }

  // With `anyFields`, a program could change the host and so send the stored key to a server of its own.
  const secretsFor = actor.isPerson ? ('anyFields' as const) : ('sameFields' as const);

  return {
    createToken: (draft) =>
      act({ action: 'create_token', about: `"${draft.name}", ${draft.permission}` }, async () => {
        if (draft.permission === 'fullAccess') await personOnly('Creating a Full Access token');
        return tokens.create(draft);
      }),
    revokeToken: (id) => act({ action: 'revoke_token', about: id }, () => tokens.revoke(id)),
    removeToken: (id) => act({ action: 'remove_token', about: id }, () => tokens.remove(id)),
    createConnection: (draft) =>
      act({ action: 'create_connection', about: `"${draft.name}"` }, async () => {
        await assertMayGive([{ raised: [], aboveDefault: levelsAboveDefault(draft) }]);
        return connections.create(draft);
      }),
    updateConnection: (id, draft) =>
      act({ action: 'update_connection', about: `"${draft.name}"`, connectionId: id }, () =>
        connections.update(id, draft, {
          secretsFor,
          check: (before, after, isMoved) =>
            assertMayGive([
              {
                raised: raisedLevels(before, after),
                aboveDefault: isMoved ? levelsAboveDefault(after) : [],
              },
            ]),
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
          check: (summaries) =>
            assertMayGive(
              summaries.map(({ name, raises, aboveDefault }) => ({ name, raised: raises, aboveDefault })),
            ),
        }),
      );
    },
    beginImport: (target, signal) => {
      const { connectionId, table, replace, rows = Number.POSITIVE_INFINITY } = target;
      const what = { action: 'import_rows', about: `into ${table}`, connectionId };
      return act(what, async () => {
        const connection = existing(connectionId);
        if (!isOpenTo('write', connection)) {
          await personOnly(`Importing into a connection that is ${notOpen('write')}`);
        }
        const reach = connection.reachLimit;
        // Each row of the file may replace a stored row. A client's statement beyond the limit needs approval too.
        if (replace && rows > reach) {
          await personOnly(
            `Replacing more than ${amount(reach, 'row')} (the reach limit of this connection)`,
          );
        }
        const left = budget.left(connectionId);
        if (replace && rows > left) {
          await personOnly(
            left === 0
              ? 'Replacing rows on this connection, where programs have changed as many rows as they may in this hour,'
              : `Replacing more than ${amount(left, 'row')} (the rows that programs may still change on this connection in this hour)`,
          );
        }
        const rights = rightsOf({ name: 'import', wants: 'write', places: [connectionId] }, what);
        return imports.begin(target, signal, rights);
      });
    },
    beginCopy: (request) => {
      const { from, to } = request;
      const places: [string, string] = [from.connectionId, to.connectionId];
      const about = `${from.table} to ${to.table}`;
      const what = { action: 'copy_table', about, connectionId: to.connectionId };
      return act(what, async () => {
        // A program must not use a copy to read rows that are closed to it.
        if (!places.map(existing).every((connection) => isOpenTo('write', connection))) {
          await personOnly(`Copying from or into a connection that is ${notOpen('write')}`);
        }
        return copies.begin(request, rightsOf({ name: 'copy', wants: 'write', places }, what));
      });
    },
    readDesign: async (connectionId, source, signal) =>
      data.readDesign(await forDesigns(connectionId, signal), source),
    planDesign: async (connectionId, request, signal) =>
      data.planDesign(await forDesigns(connectionId, signal), request),
    beginAct: (request, signal) => {
      const { act: wanted, connectionId } = request;
      const about = wanted.kind === 'create' ? wanted.design.name : wanted.table;
      const what = { action: `${wanted.kind}_table`, about, connectionId };
      return act(what, async () => {
        await forDesigns(connectionId, signal);
        const places: [string] = [connectionId];
        return acts.begin(request, rightsOf({ name: 'change', wants: 'write', places }, what));
      });
    },
    beginExport: (request, signal) => {
      const { connectionId, table } = request;
      const what = { action: 'export_rows', about: `of ${table}`, connectionId };
      return act(what, async () => {
        if (!isOpenTo('read', existing(connectionId))) {
          await personOnly(`Exporting from a connection that is ${notOpen('read')}`);
        }
        const rights = rightsOf({ name: 'export', wants: 'read', places: [connectionId] }, what);
        return exports.begin(request, signal, rights);
      });
    },
    async runStatement(request, signal) {
      const { connectionId } = request;
      const what = { action: 'run_statement', connectionId };
      const { isPerson } = actor;
      const connection = () => existing(connectionId);
      try {
        const answer = await runStatement(request, { data, isPerson, connection, personOnly, signal });
        if (isPerson && answer.state === 'done') record({ ...what, about: answer.outcome.effect }, 'ok');
        return answer;
      } catch (error) {
        // The statement of a program is logged where it runs, like that of a client.
        if (isPerson || isDenial(error)) {
          record(
            what,
            isDenial(error) ? 'denied' : 'error',
            error instanceof Error ? error.message : undefined,
          );
        }
        throw error;
      }
    },
    async updateSettings(patch) {
      const raised = raisedSettings(settings.get(), patch);
      if (raised.length === 0) return settings.update(patch);
      const about = raised.join('; ');
      return act({ action: 'raise_limits', about }, async () => {
        await personOnly(`Giving clients more rights (${about})`);
        return settings.update(patch);
      });
    },
    answer: (questionId, answer) => {
      const asked = approvals.pending().find(({ id }) => id === questionId);
      const about = [answer, asked && `${asked.kind}, "${asked.clientName}"`].filter(Boolean).join(': ');
      return act({ action: 'answer_question', about, connectionId: asked?.connection.id }, async () => {
        if (answer !== 'refuse') await personOnly("Allowing a client's request");
        approvals.answer(questionId, answer);
      });
    },
    withdrawApproval: (id) => {
      const held = approvals.granted().find((one) => one.id === id);
      const about = held && `"${held.clientName}"`;
      const connectionId = held?.connection.id;
      return act({ action: 'withdraw_approval', about, connectionId }, () => approvals.withdraw(id));
    },
    setPassphrase: (given) => act({ action: 'set_passphrase' }, () => passphrase.set(given)),
  };
}

function isDenial(error: unknown): boolean {
  return isAppError(error) && ['passphrase_needed', 'forbidden'].includes(error.code);
}

interface GivenLevels {
  /** The name of the connection, if the act concerns several. */
  name?: string;
  raised: string[];
  aboveDefault: string[];
}

/** Whether one of the entries is about the same level, such as `AI Policy`. */
function namesLevel(entries: string[], entry: string): boolean {
  const level = entry.slice(0, entry.indexOf(':'));
  return entries.some((one) => one.startsWith(`${level}:`));
}

interface Act {
  action: string;
  about?: string | undefined;
  connectionId?: string | undefined;
}

const doors: Record<Door, string> = {
  window: "Trestle's window",
  link: 'a window opened by a printed link',
  commandLine: 'the command line',
};

function onlyThePerson(what: string, door: Door, isSet: boolean): AppError {
  const window = 'use the window that Trestle opens, which does not ask for it';
  if (!isSet) {
    return new AppError({
      code: 'forbidden',
      message: `${what} needs the administrator passphrase, and none is set`,
      hint: `Set one in a terminal with \`trestle passphrase set\`, or ${window}.`,
    });
  }
  return new AppError({
    code: 'passphrase_needed',
    message: `${what} needs the administrator passphrase`,
    hint: `${door === 'commandLine' ? 'Run the command in a terminal, which asks for it' : 'Enter it on this page'}, or ${window}.`,
  });
}
