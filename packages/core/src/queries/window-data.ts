import type { LinkCall, LinkSession } from '@trestle/driver-host';
import type { Effect } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import type { Data, DataAccess } from '../types.ts';
import { requireMethod } from './capabilities.ts';
import type { DataParts } from './data-parts.ts';

type WindowData = Pick<
  Data,
  | 'structure'
  | 'activatePartition'
  | 'createTable'
  | 'designForm'
  | 'readDesign'
  | 'planDesign'
  | 'nextStep'
  | 'readReferences'
  | 'findReferences'
  | 'showRequest'
  | 'convertStatement'
>;

/**
 * Calls that only a person may make: from the window, or as a step of a table copy. They bypass masking, so a client is
 * refused.
 */
export function createWindowData({ runner, settings, events }: DataParts): WindowData {
  async function run<T>(
    access: DataAccess,
    operation: { action: string; wants?: Effect; table?: string; rowsOf?(result: T): number },
    work: (session: LinkSession, call: LinkCall) => Promise<T>,
  ): Promise<T> {
    if (access.caller.kind !== 'person') {
      throw new AppError({ code: 'unsupported', message: `${operation.action} works only in the window` });
    }
    const timeoutMs = settings.get().statementTimeoutSeconds * 1000;
    return runner.run(access, { wants: 'read', timeoutMs, ...operation }, ({ session, call }) =>
      session.use(call.signal, (link) => work(link.session, call)),
    );
  }

  return {
    structure: (access, table) =>
      run(access, { action: 'structure', table }, (session, call) =>
        requireMethod(session, 'describeStructure')(table, call),
      ),
    async activatePartition(access, request) {
      const { table } = request;
      await run(access, { action: 'activatePartition', wants: 'write', table }, (session, call) =>
        requireMethod(session, 'activatePartition')(request, call),
      );
      events.emit({ type: 'rowsChanged', connectionId: access.connectionId, table });
    },
    async createTable(access, request) {
      await run(access, { action: 'createTable', wants: 'write', table: request.name }, (session, call) =>
        requireMethod(session, 'createTable')(request, call),
      );
      events.emit({ type: 'schemaChanged', connectionId: access.connectionId });
    },
    designForm: (access) =>
      run(access, { action: 'designForm' }, (session, call) => requireMethod(session, 'designForm')(call)),
    readDesign: (access, source) =>
      run(access, { action: 'readDesign' }, (session, call) =>
        requireMethod(session, 'readDesign')(source, call),
      ),
    planDesign: (access, request) =>
      run(access, { action: 'planDesign' }, (session, call) =>
        requireMethod(session, 'planDesign')(request, call),
      ),
    // The driver only reads here. An act that may not write must end before its first step.
    nextStep: (access, request) =>
      run(access, { action: 'nextStep', wants: 'write' }, (session, call) =>
        requireMethod(session, 'nextStep')(request, call),
      ),
    readReferences: (access, request) =>
      run(
        access,
        { action: 'readReferences', table: request.table, rowsOf: (targets) => targets.flat().length },
        (session, call) => requireMethod(session, 'readReferences')(request, call),
      ),
    findReferences: (access, request) =>
      run(
        access,
        { action: 'findReferences', table: request.table, rowsOf: (targets) => targets.length },
        (session, call) => requireMethod(session, 'findReferences')(request, call),
      ),
    showRequest: (access, shown) =>
      run(access, { action: 'showRequest', table: shown.request.table }, (session, call) =>
        requireMethod(session, 'showRequest')(shown, call),
      ),
    convertStatement: (access, text) =>
      run(access, { action: 'convertStatement' }, (session, call) =>
        requireMethod(session, 'convertStatement')(text, call),
      ),
  };
}
