import type { LinkCall, LinkSession } from '@trestle/driver-host';
import type { ExportRequest, Page, RowSet } from '@trestle/driver-kit';
import type { Mask } from '../masking/mask.ts';
import type { Data, DataAccess } from '../types.ts';
import { createApplyChanges } from './apply-changes.ts';
import type { Operation } from './call.ts';
import { requireMethod } from './capabilities.ts';
import type { DataParts } from './data-parts.ts';
import { describeAll, describeOne } from './describe-tables.ts';
import { nearestRows } from './nearest-rows.ts';
import { onCurrentMask } from './on-current-mask.ts';
import { presentOutcome } from './present-outcome.ts';
import { createRunDestructive } from './run-destructive.ts';
import { createRunQuery } from './run-query.ts';
import { settleChanges } from './settle-changes.ts';
import { createWindowData } from './window-data.ts';

/**
 * The operations on data. The statement timeout limits each request to the driver. In a save it limits each row,
 * and in an import each row or batch. An export or a sample has no statement timeout, since it may take hours. A
 * timeout that the caller gave replaces the statement timeout. In an export or a sample, the caller's timeout limits
 * each batch.
 */
export function createData(parts: DataParts): Data {
  const { runner, sessions, settings } = parts;

  const statementTimeoutMs = () => settings.get().statementTimeoutSeconds * 1000;

  function read<T>(
    access: DataAccess,
    operation: Omit<Operation<T>, 'wants'>,
    work: (session: LinkSession, call: LinkCall, mask: Mask) => Promise<T>,
  ): Promise<T> {
    const timeoutMs = statementTimeoutMs();
    return runner.run(access, { wants: 'read', timeoutMs, ...operation }, ({ session, call, mask }) =>
      session.use(call.signal, (link) => work(link.session, call, mask)),
    );
  }

  function stream(
    access: DataAccess,
    request: Omit<ExportRequest, 'sort'>,
    work: (session: LinkSession, guarded: Mask['request'], call: LinkCall) => AsyncIterable<RowSet>,
  ): AsyncIterable<RowSet> {
    const { table } = request;
    return runner.stream(
      access,
      { action: 'export', wants: 'read', table, rowsOf: rowCount },
      ({ session, call, mask }) =>
        session.stream(call.signal, (link) => {
          mask.assertRequest(request);
          return maskBatches(work(link.session, mask.request, call), table, mask);
        }),
    );
  }

  const exportRows: Data['exportRows'] = (access, request) =>
    stream(access, request, (session, guarded, call) =>
      requireMethod(session, 'exportRows')({ ...request, ...guarded }, call),
    );

  return {
    tables: (access) =>
      read(access, { action: 'tables', rowsOf: (tables) => tables.length }, async (session, call, mask) =>
        (await session.listTables(call)).map((table) => mask.summary(table)),
      ),
    describe: (access, table) =>
      read(access, { action: 'describe', table }, (session, call, mask) =>
        describeOne(session, table, call, mask),
      ),
    describeAll: (access, request) =>
      runner.run(
        access,
        {
          action: 'describeAll',
          wants: 'read',
          rowsOf: ({ tables }) => tables.length,
          timeoutMs: statementTimeoutMs(),
        },
        (admitted) => describeAll(admitted, request),
      ),
    browse: (access, request) =>
      read(
        access,
        { action: 'browse', table: request.table, rowsOf: pageRows },
        async (session, call, mask) => {
          mask.assertRequest(request);
          return maskPage(await session.browse({ ...request, ...mask.request }, call), request, mask);
        },
      ),
    count: (access, request) =>
      read(access, { action: 'count', table: request.table }, (session, call, mask) => {
        mask.assertRequest(request);
        return session.count({ ...request, ...mask.request }, call);
      }),
    aggregate: (access, request) =>
      read(
        access,
        { action: 'aggregate', table: request.table, rowsOf: ({ rows }) => rows.rowCount },
        async (session, call, mask) => {
          const aggregated = [...request.by.map((column) => ({ column })), ...request.measured];
          mask.assertRequest({ ...request, aggregated });
          const aggregate = requireMethod(session, 'aggregate');
          const found = await aggregate({ ...request, ...mask.request }, call);
          return { ...found, rows: mask.rows(found.rows, request.table) };
        },
      ),
    readCells: (access, request) =>
      read(
        access,
        { action: 'readCells', table: request.table, rowsOf: rowCount },
        async (session, call, mask) => {
          mask.assertRequest(request);
          const rows = await requireMethod(session, 'readCells')({ ...request, ...mask.request }, call);
          return mask.rows(rows, request.table);
        },
      ),
    partitions: (access, table) =>
      read(access, { action: 'partitions', table, rowsOf: (list) => list.length }, (session, call) =>
        requireMethod(session, 'listPartitions')(table, call),
      ),
    search: (access, request) =>
      read(
        access,
        { action: 'search', table: request.table, rowsOf: pageRows },
        async (session, call, mask) => {
          mask.assertRequest(request);
          const search = requireMethod(session, 'search');
          return maskPage(await search({ ...request, ...mask.request }, call), request, mask);
        },
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
      read(access, { action: 'classify', text }, async (session, call) => {
        const { effect, clientEffect, summary } = await session.classify(text, call);
        return { effect, summary, ...(clientEffect && { clientEffect }) };
      }),
    measure: (access, text) =>
      runner.run(
        access,
        { wants: 'read', timeoutMs: statementTimeoutMs(), action: 'measure', text },
        (admitted) =>
          onCurrentMask(admitted, ({ session, call, mask }) =>
            session.use(call.signal, (link) => link.session.measure({ text, ...mask.changeRequest }, call)),
          ),
      ),
    applyChanges: createApplyChanges(parts, 'applyChanges'),
    importRows: createApplyChanges(parts, 'importRows'),
    settleChanges: (access, request) =>
      read(access, { action: 'settleChanges', table: request.table }, async (session, call, mask) => {
        const outcomes = await settleChanges(session, request, { call });
        const redact = sessions.redact(access.connectionId);
        return outcomes.map((one) => presentOutcome(one, { table: request.table, mask, redact }));
      }),
    exportRows,
    nearestRows: (access, request) => nearestRows({ exportRows }, access, request),
    sampleRows: (access, request) =>
      stream(access, request, (session, guarded, call) =>
        requireMethod(session, 'sampleRows')({ ...request, ...guarded }, call),
      ),
    runQuery: createRunQuery(parts),
    runDestructive: createRunDestructive(parts),
    ...createWindowData(parts),
  };
}

function maskPage(page: Page, { table }: { table: string }, mask: Mask): Page {
  return { ...page, rows: mask.rows(page.rows, table) };
}

async function* maskBatches(batches: AsyncIterable<RowSet>, table: string, mask: Mask) {
  for await (const rows of batches) yield mask.rows(rows, table);
}

const pageRows = (page: Page) => page.rows.rowCount;
const rowCount = (rows: RowSet) => rows.rowCount;
