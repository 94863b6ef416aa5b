import type { LinkCall, LinkSession } from '@trestle/driver-host';
import type { ChangeOutcome, Page, RowSet } from '@trestle/driver-kit';
import type { EventHub } from '../events/events.ts';
import type { HistoryLog } from '../history/history.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import type { Data, DataAccess, Settings } from '../types.ts';
import type { CallRunner, Operation } from './call-runner.ts';
import { requireMethod } from './capabilities.ts';
import { createRunQuery } from './run-query.ts';
import { redactDetails } from './translate-error.ts';

export interface DataParts {
  runner: CallRunner;
  sessions: SessionPool;
  settings: Settings;
  history: HistoryLog;
  events: EventHub;
}

/** The only ways to data. All but `exportRows`, which may take hours, end at the statement timeout. */
export function createData(parts: DataParts): Data {
  const { runner, sessions, settings, events } = parts;

  function read<T>(
    access: DataAccess,
    operation: Omit<Operation<T>, 'wants'>,
    work: (session: LinkSession, call: LinkCall) => Promise<T>,
  ): Promise<T> {
    const timeoutMs = settings.get().statementTimeoutSeconds * 1000;
    return runner.run(access, { wants: 'read', timeoutMs, ...operation }, ({ session, call }) =>
      session.use(call.signal, (link) => work(link.session, call)),
    );
  }

  return {
    tables: (access) =>
      read(access, { action: 'tables', rowsOf: (tables) => tables.length }, (session, call) =>
        session.listTables(call),
      ),
    describe: (access, table) =>
      read(access, { action: 'describe', table }, (session, call) => session.describeTable(table, call)),
    browse: (access, request) =>
      read(access, { action: 'browse', table: request.table, rowsOf: pageRows }, (session, call) =>
        session.browse(request, call),
      ),
    count: (access, request) =>
      read(access, { action: 'count', table: request.table }, (session, call) =>
        session.count(request, call),
      ),
    readCells: (access, request) =>
      read(access, { action: 'readCells', table: request.table, rowsOf: rowCount }, (session, call) =>
        requireMethod(session, 'readCells')(request, call),
      ),
    partitions: (access, table) =>
      read(access, { action: 'partitions', table, rowsOf: (list) => list.length }, (session, call) =>
        requireMethod(session, 'listPartitions')(table, call),
      ),
    search: (access, request) =>
      read(access, { action: 'search', table: request.table, rowsOf: pageRows }, (session, call) =>
        requireMethod(session, 'search')(request, call),
      ),
    editorSchema: (access) =>
      read(access, { action: 'editorSchema' }, (session, call) =>
        requireMethod(session, 'editorSchema')(call),
      ),
    previewChanges: (access, changes) =>
      read(access, { action: 'previewChanges', table: changes.table }, (session, call) =>
        requireMethod(session, 'previewChanges')(changes, call),
      ),
    classify: (access, text) =>
      read(access, { action: 'classify', text }, (session, call) => session.classify(text, call)),
    applyChanges: (access, changes) => {
      const { connectionId } = access;
      const changed = () => events.emit({ type: 'rowsChanged', connectionId, table: changes.table });
      const operation: Operation<ChangeOutcome[]> = {
        action: 'applyChanges',
        wants: 'write',
        timeoutMs: settings.get().statementTimeoutSeconds * 1000,
        table: changes.table,
        rowsOf: (outcomes) => outcomes.filter(({ status }) => status === 'applied').length,
        onEnd: ({ admitted, rows, error }) => {
          // After an error nobody knows how much of it was applied.
          if (error ? admitted : rows) changed();
        },
      };
      return runner.run(access, operation, async ({ session, call }) => {
        const outcomes = await session.use(call.signal, (link) =>
          requireMethod(link.session, 'applyChanges')(changes, call),
        );
        return outcomes.map((outcome) => redactOutcome(outcome, sessions.redact(connectionId)));
      });
    },
    exportRows: (access, request) =>
      runner.stream(
        access,
        { action: 'export', wants: 'read', table: request.table, rowsOf: rowCount },
        ({ session, call }) =>
          session.stream(call.signal, (link) => requireMethod(link.session, 'exportRows')(request, call)),
      ),
    runQuery: createRunQuery(parts),
  };
}

const pageRows = (page: Page) => page.rows.rowCount;
const rowCount = (rows: RowSet) => rows.rowCount;

function redactOutcome(outcome: ChangeOutcome, redact: (text: string) => string): ChangeOutcome {
  return outcome.error ? { ...outcome, error: redactDetails(outcome.error, redact) } : outcome;
}
