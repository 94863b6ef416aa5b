import {
  type Administration,
  AppError,
  byColumnName,
  type Core,
  type DriverDetails,
  type ImportedRow,
} from '@trestle/core';
import { type Cell, packWire, unpackWire } from '@trestle/driver-kit';
import { z } from 'zod';
import {
  browseRequest,
  connectionDraft,
  countRequest,
  design,
  designSource,
  planRequest,
  tokenDraft,
} from '../api/schemas.ts';

const tablePlace = z.strictObject({ connectionId: z.string(), table: z.string() });

const shortText = z.string().max(500);

const commandTitles = {
  import: (table: string) => `Import into ${table}, from the command line`,
  check: (table: string) => `Check a file for ${table}, from the command line`,
  export: (table: string) => `Export ${table}, from the command line`,
};

const loss = z.strictObject({
  tables: z.array(
    z.strictObject({ table: z.string(), partition: z.string().optional(), rows: z.number().nullable() }),
  ),
  cascades: z.boolean(),
  schema: z.string(),
});

/**
 * The core operations of the command line. The running app answers them over its socket. Without a running app, most
 * commands open the core and run the operation themselves.
 */
const coreOperations = {
  'drivers.list': operation(z.null(), (core) => core.drivers.known()),
  'connections.list': operation(z.null(), (core) => core.connections.list()),
  'connections.create': operation(connectionDraft, (_core, draft, { administration }) =>
    administration.createConnection(draft),
  ),
  'connections.update': operation(
    z.strictObject({ id: z.string(), draft: connectionDraft }),
    (_core, { id, draft }, { administration }) => administration.updateConnection(id, draft),
  ),
  'connections.import': operation(
    z.strictObject({ connections: z.array(connectionDraft), replace: z.boolean(), dryRun: z.boolean() }),
    (_core, { connections, ...options }, { administration }) =>
      administration.importConnections(connections, options),
  ),
  'connections.remove': operation(z.string(), (_core, id, { administration }) =>
    administration.removeConnection(id),
  ),
  'connections.test': operation(z.string(), (core, id, { signal }) => {
    const saved = core.connections.get(id);
    if (!saved) throw new AppError({ code: 'not_found', message: `There is no connection ${id}` });
    const { name, driver, fields, externalClients, aiPolicy, safeMode, color } = saved;
    const draft = { name, driver, fields, externalClients, aiPolicy, safeMode, color };
    return core.connections.test(draft, { id, signal });
  }),
  'connections.reset': operation(z.string(), (_core, id, { resetSample }) => resetSample(id)),
  'sessions.open': operation(z.string(), (core, connectionId, { signal }) =>
    core.sessions.open({ caller: { kind: 'person' }, connectionId, signal }),
  ),
  /** Returns the status from before the close. */
  'sessions.close': operation(z.string(), async (core, id) => {
    const before = core.sessions.status(id);
    await core.sessions.close(id);
    return before;
  }),
  'imports.begin': operation(
    z.strictObject({
      job: z.string(),
      connectionId: z.string(),
      table: z.string(),
      partition: z.string().optional(),
      replace: z.boolean(),
      rows: z.int().min(0),
    }),
    async (core, { job, ...target }, { administration, signal }) => {
      const over = core.jobs.over(job);
      const begun = await administration.beginImport(target, signal);
      void over.then(() => core.imports.end(begun.id));
      return begun;
    },
  ),
  /** `packWire` packs the rows, because JSON has neither bytes nor large integers. They are sent in base64. */
  'imports.send': operation(
    z.strictObject({ id: z.string(), rows: z.base64() }),
    (core, { id, rows }, { signal }) =>
      core.imports.send(
        id,
        importedRows.parse(unpackWire(Buffer.from(rows, 'base64'))) as ImportedRow[],
        signal,
      ),
  ),
  'copies.begin': operation(
    z.strictObject({ from: tablePlace, to: tablePlace, goOn: z.boolean() }),
    (_core, request, { administration }) => administration.beginCopy(request),
  ),
  'designs.read': operation(
    z.strictObject({ connectionId: z.string(), source: designSource }),
    (_core, { connectionId, source }, { administration, signal }) =>
      administration.readDesign(connectionId, source, signal),
  ),
  'designs.plan': operation(
    z.strictObject({ connectionId: z.string(), request: planRequest }),
    (_core, { connectionId, request }, { administration, signal }) =>
      administration.planDesign(connectionId, request, signal),
  ),
  /** Returns the id of the job. */
  'designs.create': operation(
    z.strictObject({ connectionId: z.string(), design, statements: z.array(z.string()) }),
    (_core, { connectionId, statements, ...made }, { administration, signal }) =>
      administration.beginAct({ connectionId, statements, act: { kind: 'create', ...made } }, signal),
  ),
  'jobs.list': operation(z.null(), (core) => core.jobs.list()),
  'jobs.get': operation(z.string(), (core, id) => core.jobs.get(id)),
  /** Lists the work of a command. The following operations on the job need its id. */
  'jobs.hold': operation(
    tablePlace.extend({ work: z.enum(['import', 'check', 'export']) }),
    (core, { work, ...at }) =>
      core.jobs.hold(
        { ...at, kind: 'command', title: commandTitles[work](at.table), detail: () => null },
        { how: 'unknown', words: 'The command ended without a report' },
      ),
  ),
  /** Never answers. A command that hangs up, or is killed, has left its job. */
  'jobs.attend': operation(z.string(), (core, id, { signal }) => {
    core.jobs.attend(id, signal);
    return core.jobs.over(id);
  }),
  /** Returns false if the command must stop. */
  'jobs.report': operation(
    z.strictObject({ id: z.string(), done: z.int(), total: z.int().nullable(), words: shortText }),
    (core, { id, ...progress }) => core.jobs.report(id, progress),
  ),
  'jobs.end': operation(
    z.strictObject({
      id: z.string(),
      how: z.enum(['complete', 'cancelled', 'failed', 'unknown']),
      words: shortText,
    }),
    (core, { id, ...outcome }) => core.jobs.end(id, outcome),
  ),
  'jobs.cancel': operation(z.string(), (core, id) => core.jobs.cancel(id)),
  'exports.begin': operation(
    countRequest.extend({
      job: z.string(),
      connectionId: z.string(),
      columns: z.array(z.string()).min(1).optional(),
      withVectors: z.boolean(),
      sort: browseRequest.shape.sort,
    }),
    async (core, { job, ...request }, { administration, signal }) => {
      const over = core.jobs.over(job);
      const begun = await administration.beginExport(request, signal);
      void over.then(() => core.exports.end(begun.id));
      return begun;
    },
  ),
  /** Returns the rows, packed by `packWire`, in base64. Null at the end. */
  'exports.read': operation(z.string(), async (core, id) => {
    const rows = await core.exports.read(id);
    return rows && Buffer.from(packWire(rows)).toString('base64');
  }),
  'exports.end': operation(z.string(), (core, id) => core.exports.end(id)),
  /** Returns the outcome of the statement packed by `packWire`, in base64. */
  'statements.run': operation(
    z.strictObject({
      connectionId: z.string(),
      text: z.string(),
      limit: z.int().min(1).max(10_000),
      timeoutMs: z.int().min(1).max(300_000).optional(),
      approved: loss.optional(),
    }),
    async (_core, request, { administration, signal }) => {
      const answer = await administration.runStatement(request, signal);
      if (answer.state === 'confirm') return answer;
      return { state: answer.state, outcome: Buffer.from(packWire(answer.outcome)).toString('base64') };
    },
  ),
  'plugins.list': operation(z.null(), (core) => core.drivers.details().map(plugin)),
  'plugins.installFile': operation(z.string(), async (core, path, { signal }) =>
    plugin(await core.drivers.installFromFile(path, { signal })),
  ),
  'plugins.install': operation(z.string(), async (core, id, { signal }) => {
    await readRegistry(core, signal);
    return plugin(await core.drivers.install(id, { signal }));
  }),
  'plugins.search': operation(z.null(), async (core, _input, { signal }) => {
    await readRegistry(core, signal);
    return { registry: core.drivers.registry(), drivers: core.drivers.listed() };
  }),
  'plugins.confirmRegistry': operation(z.string(), (core, fingerprint) =>
    core.drivers.confirmRegistry(fingerprint),
  ),
  'plugins.remove': operation(z.string(), (core, id) => core.drivers.remove(id)),
  'doctor.look': operation(z.null(), async (core, _nothing, { signal }) => {
    const known = core.drivers.known().map(({ id }) => id);
    const used = new Set(core.connections.list().map(({ driver }) => driver));
    return {
      secrets: core.secrets,
      drivers: known,
      missing: [...used].filter((id) => !known.includes(id)),
      wall: await core.drivers.secondWall({ signal }),
    };
  }),
  'tokens.list': operation(z.null(), (core) => core.tokens.list()),
  'tokens.create': operation(tokenDraft, (_core, draft, { administration }) =>
    administration.createToken(draft),
  ),
  'tokens.revoke': operation(z.string(), (_core, id, { administration }) => administration.revokeToken(id)),
  'approvals.list': operation(z.null(), (core) => core.approvals.pending()),
  'approvals.answer': operation(
    z.strictObject({ id: z.string(), answer: z.enum(['allow', 'allowOnce', 'refuse']) }),
    (_core, { id, answer }, { administration }) => administration.answer(id, answer),
  ),
  'passphrase.isSet': operation(z.null(), (core) => core.passphrase.isSet()),
  'passphrase.set': operation(
    z.strictObject({ current: z.string().nullable(), next: z.string().max(1000) }),
    (_core, given, { administration }) => administration.setPassphrase(given),
  ),
};

const importedRows = z.array(
  z.strictObject({ id: z.string(), values: byColumnName<Cell>((value) => value !== undefined) }),
);

/**
 * Reads the index even if a recent one is known: a command that looks for the newest version must find it. If the
 * registry cannot be reached, the last valid index is used, and the registry's status says so.
 */
async function readRegistry(core: Core, signal: AbortSignal): Promise<void> {
  await core.drivers.refresh({ signal, force: true }).catch(() => {});
}

function plugin({ manifest, bundled, integrity, publisher }: DriverDetails) {
  const { id, name, version, summary } = manifest;
  return { id, name, version, summary, bundled, integrity, publisher };
}

type Operations = typeof coreOperations;
export type OperationName = keyof Operations;
export type OperationInput<Name extends OperationName> = z.input<Operations[Name]['schema']>;
export type OperationResult<Name extends OperationName> = Awaited<ReturnType<Operations[Name]['run']>>;

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(coreOperations, name);
}

/** Checks the input, which may come from another process, and runs the operation. */
export async function runOperation(
  core: Core,
  name: OperationName,
  input: unknown,
  { passphrase, ...means }: Omit<Means, 'administration'> & { passphrase: string | null },
): Promise<unknown> {
  const { schema, run } = coreOperations[name] as Operation;
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    throw new AppError({ code: 'invalid_argument', message: z.prettifyError(parsed.error) });
  }
  if (passphrase !== null) await core.passphrase.verify(passphrase);
  const administration = core.administer({ door: 'commandLine', isPerson: passphrase !== null });
  return run(core, parsed.data, { ...means, administration });
}

/** An operation gets these values in addition to the core and its input. */
interface Means {
  administration: Administration;
  signal: AbortSignal;
  resetSample(connectionId: string): Promise<void>;
}

interface Operation<Schema extends z.ZodType = z.ZodType, Result = unknown> {
  schema: Schema;
  run(core: Core, input: z.output<Schema>, means: Means): Result;
}

function operation<Schema extends z.ZodType, Result>(
  schema: Schema,
  run: (core: Core, input: z.output<Schema>, means: Means) => Result,
): Operation<Schema, Result> {
  return { schema, run };
}
