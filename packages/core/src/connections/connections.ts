import { randomUUID } from 'node:crypto';
import { databaseIsLate, redactor } from '@trestle/driver-host';
import type { ConnectStage, ManifestField } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { visibleConnections } from '../access/decide-access.ts';
import { AppError, appErrorDetails } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import type { DriverCatalog } from '../plugins/installed-driver.ts';
import { assertReadableFiles, refuseUnsafePaths } from '../sessions/driver-fields.ts';
import { linkOpener } from '../sessions/link-opener.ts';
import type { LinkOpener } from '../sessions/managed-session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import type { Timing } from '../timing.ts';
import { toAppError } from '../translate-error.ts';
import type {
  Connection,
  ConnectionDraft,
  Connections,
  ImportedConnection,
  ImportOptions,
  TestOptions,
  TestResult,
  UpdateOptions,
} from '../types.ts';
import type { ConnectionRows } from './connection-rows.ts';
import { assertPlainName } from './plain-connection-name.ts';
import { isSame, planImport } from './plan-import.ts';
import type { StoredSecrets } from './stored-secrets.ts';
import { toConnection, withKept } from './to-connection.ts';
import { type ValidDraft, validateDraft } from './validate-draft.ts';

interface Parts {
  rows: ConnectionRows;
  secrets: StoredSecrets;
  drivers: DriverCatalog;
  pool: SessionPool;
  events: EventHub;
  home: string;
  hostEntry: string;
  timing: Timing;
  log: Logger;
  /** The levels, the masking or the reach limit for external clients changed. */
  onAccessChanged(id: string): void;
  /** The driver or a field that is not secret changed. */
  onMoved(id: string): void;
  /** A field or a secret changed. */
  onFieldsChanged(id: string): void;
}

/** Saved connections: the row in `trestle.db`, the secrets in their store, and the session that uses both. */
export class SavedConnections implements Connections {
  readonly #parts: Parts;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(): Connection[] {
    return this.#parts.rows.list();
  }

  get(id: string): Connection | undefined {
    return this.#parts.rows.get(id);
  }

  visibleTo(caller: Parameters<Connections['visibleTo']>[0]): Connection[] {
    return visibleConnections(caller, this.list());
  }

  create(draft: ConnectionDraft, { sample = false } = {}): Promise<Connection> {
    return this.#oneAtATime(async () => {
      const manifest = this.#parts.drivers.manifestOf(draft.driver);
      const valid = validateDraft(draft, manifest, { secrets: [] });
      refuseUnsafePaths(manifest, valid.fields, this.#parts.home);
      if (!sample) this.#assertFreeName(draft.name);
      await assertReadableFiles(manifest, valid.fields);
      const now = new Date().toISOString();
      const connection = toConnection(
        draft,
        valid,
        { id: randomUUID(), sample, createdAt: now, updatedAt: now },
        [],
      );
      const undo = await this.#parts.secrets.put(connection.id, valid.secrets);
      await orUndo(undo, () => this.#parts.rows.insert(connection));
      this.#parts.events.emit({ type: 'connectionsChanged' });
      return connection;
    });
  }

  update(id: string, draft: ConnectionDraft, options: UpdateOptions = {}): Promise<Connection> {
    return this.#oneAtATime(async () => {
      const before = this.#required(id);
      const manifest = this.#parts.drivers.manifestOf(draft.driver);
      const kept = this.#keptSecrets(before, draft, options);
      const whole = withKept(draft, before);
      const valid = validateDraft(whole, manifest, { secrets: kept });
      refuseUnsafePaths(manifest, valid.fields, this.#parts.home);
      if (draft.name.trim() !== before.name) this.#assertFreeName(draft.name);
      await assertReadableFiles(manifest, valid.fields);
      const after = toConnection(draft, valid, { ...before, updatedAt: new Date().toISOString() }, kept);
      await options.check?.(before, after, this.#isMoved(before, after));
      const undo = await this.#parts.secrets.put(id, valid.secrets);
      await orUndo(undo, () => this.#parts.rows.update(after));
      await this.#settle({ before, after, valid });
      this.#parts.events.emit({ type: 'connectionsChanged' });
      return after;
    });
  }

  importAll(drafts: ConnectionDraft[], options: ImportOptions): Promise<ImportedConnection[]> {
    return this.#oneAtATime(async () => {
      const { drivers, rows, secrets, events } = this.#parts;
      const plans = planImport(drafts, {
        existing: this.list(),
        replace: options.replace,
        manifestOf: (driver) => drivers.manifestOf(driver),
        home: this.#parts.home,
      });
      const summaries = plans.map(({ summary }) => summary);
      if (options.dryRun) return summaries;
      await options.check?.(summaries);
      const undos: (() => Promise<void>)[] = [];
      const undoAll = async () => {
        for (const undo of undos.toReversed()) await undo();
      };
      await orUndo(undoAll, async () => {
        for (const { after, valid } of plans) undos.push(await secrets.put(after.id, valid.secrets));
        rows.saveAll(plans.map(({ before, after }) => ({ isNew: before === null, connection: after })));
      });
      for (const { before, after, valid } of plans) {
        if (before) await this.#settle({ before, after, valid });
      }
      events.emit({ type: 'connectionsChanged' });
      return summaries;
    });
  }

  /** Runs after a change is stored. Deletes removed secrets. Ends client calls and sessions that use old values. */
  async #settle({ before, after, valid }: { before: Connection; after: Connection; valid: ValidDraft }) {
    const { id } = after;
    if (accessOf(before) !== accessOf(after)) this.#parts.onAccessChanged(id);
    if (this.#isMoved(before, after)) this.#parts.onMoved(id);
    const isOther = reopens(before, after, valid);
    if (isOther) this.#parts.onFieldsChanged(id);
    const gone = before.storedSecrets.filter((field) => !after.storedSecrets.includes(field));
    await this.#parts.secrets.delete(id, gone);
    if (isOther) await this.#parts.pool.close(id);
  }

  /** Whether the connection may lead to another database than before. */
  #isMoved(before: Connection, after: Connection): boolean {
    if (before.driver !== after.driver) return true;
    return !isSame(this.#parts.drivers.manifestOf(after.driver), before.fields, after.fields);
  }

  /**
   * The stored secrets that the draft keeps. A draft that changes the driver keeps none. With `sameFields`, a draft that
   * changes a field that is not secret keeps none: otherwise a program could send a secret to its own server.
   */
  #keptSecrets(
    before: Connection | undefined,
    draft: ConnectionDraft,
    { secretsFor }: UpdateOptions,
  ): string[] {
    if (!before || draft.driver !== before.driver) return [];
    if (secretsFor !== 'sameFields') return before.storedSecrets;
    const manifest = this.#parts.drivers.manifestOf(draft.driver);
    const { fields } = validateDraft({ ...draft, name: draft.name || 'Test' }, manifest, {
      secrets: 'optional',
    });
    return isSame(manifest, before.fields, fields) ? before.storedSecrets : [];
  }

  remove(id: string): Promise<void> {
    return this.#oneAtATime(async () => {
      const connection = this.#required(id);
      this.#parts.rows.delete(id);
      await this.#parts.pool.remove(id);
      await this.#parts.secrets.delete(id, connection.storedSecrets);
      this.#parts.events.emit({ type: 'connectionsChanged' });
    });
  }

  reorder(ids: string[]): void {
    this.#parts.rows.reorder(ids);
    this.#parts.events.emit({ type: 'connectionsChanged' });
  }

  async test(draft: ConnectionDraft, { id, signal, secretsFor, onStage }: TestOptions): Promise<TestResult> {
    let redact = redactor([]);
    const stages: ConnectStage[] = [];
    try {
      const stored = id === undefined ? undefined : this.#required(id);
      const { drivers } = this.#parts;
      if (!drivers.isReady(draft.driver, { isTest: true })) await drivers.install(draft.driver, { signal });
      const kept = this.#keptSecrets(stored, draft, { secretsFor });
      const { fields, secrets } = validateDraft(
        { ...draft, name: draft.name || 'Test' },
        drivers.manifestOf(draft.driver),
        { secrets: kept },
      );
      const { home, hostEntry, timing, log } = this.#parts;
      const secretOf = async (field: ManifestField) => {
        const given = secrets.get(field.id);
        return given !== undefined || id === undefined
          ? (given ?? null)
          : this.#parts.secrets.read(id, kept, field);
      };
      const link = await linkOpener({
        home,
        hostEntry,
        drivers,
        driverId: draft.driver,
        fields,
        secretOf,
        log,
        isTest: true,
      }).open({
        signal,
        timeoutMs: timing.connectMs,
        onSecrets: (values) => {
          redact = redactor(values);
        },
        onInstalling: () => {},
        onStage(stage) {
          // A broken socket is dialled again, and passes the same stages again.
          if (stages.includes(stage)) return;
          stages.push(stage);
          onStage?.(stage);
        },
        onExit: () => {},
      });
      try {
        const { warning } = await link.session.health({
          signal,
          timeoutMs: timing.healthTimeoutMs,
          lateHint: databaseIsLate,
        });
        return {
          ok: true,
          stages,
          server: link.session.server,
          ...(warning !== undefined && { warning: redact(warning) }),
        };
      } finally {
        await link.close();
      }
    } catch (error) {
      return { ok: false, stages, error: appErrorDetails(toAppError(error, redact)) };
    }
  }

  /** Returns an opener for a saved connection. It uses the fields that are stored at the time of this call. */
  opener(id: string): LinkOpener {
    const connection = this.#required(id);
    const { home, hostEntry, drivers, log } = this.#parts;
    return linkOpener({
      home,
      hostEntry,
      drivers,
      driverId: connection.driver,
      fields: connection.fields,
      secretOf: (field) => this.#parts.secrets.read(id, connection.storedSecrets, field),
      log,
    });
  }

  /** Waits for the changes in progress. */
  async close(): Promise<void> {
    await this.#lastChange;
  }

  #required(id: string): Connection {
    const connection = this.get(id);
    if (connection) return connection;
    throw new AppError({ code: 'not_found', message: 'There is no connection with this id' });
  }

  /** Clients, the command line and imports may identify a connection by its name. */
  #assertFreeName(typed: string): void {
    assertPlainName(typed);
    const name = typed.trim();
    if (!this.list().some((connection) => connection.name === name)) return;
    throw new AppError({
      code: 'conflict',
      message: `A connection named "${name}" already exists`,
      hint: 'Choose another name.',
    });
  }

  /** Two changes at once must not mix the row of one with the secrets of the other. */
  #oneAtATime<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(change);
    this.#lastChange = result.catch(() => {});
    return result;
  }
}

async function orUndo(undo: () => Promise<void>, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    await undo();
    throw error;
  }
}

function reopens(before: Connection, after: Connection, { secrets }: ValidDraft): boolean {
  const plain = ({ driver, fields, storedSecrets }: Connection) =>
    JSON.stringify([driver, Object.entries(fields).sort(), storedSecrets.toSorted()]);
  return [...secrets.values()].some((value) => value !== null) || plain(before) !== plain(after);
}

function accessOf({ externalClients, aiPolicy, masking, reachLimit }: Connection): string {
  return JSON.stringify([externalClients, aiPolicy, masking, reachLimit]);
}
