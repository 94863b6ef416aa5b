import { randomUUID } from 'node:crypto';
import type { ManifestField } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { visibleConnections } from '../access/decide-access.ts';
import { AppError, appErrorDetails } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import type { DriverCatalog } from '../plugins/load-drivers.ts';
import { redactor, toAppError } from '../queries/translate-error.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { linkOpener } from '../sessions/link-opener.ts';
import type { LinkOpener } from '../sessions/managed-session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import type { Timing } from '../sessions/timing.ts';
import type { Connection, ConnectionDraft, Connections, TestResult } from '../types.ts';
import type { ConnectionRows } from './connection-rows.ts';
import { type ValidDraft, validateDraft } from './validate-draft.ts';

interface Parts {
  rows: ConnectionRows;
  secrets: SecretStore;
  drivers: DriverCatalog;
  pool: SessionPool;
  events: EventHub;
  home: string;
  hostEntry: string;
  timing: Timing;
  log: Logger;
  /** The levels or the masking for external clients changed. */
  onAccessChanged(id: string): void;
}

/** Saved connections: the row in `trestle.db`, the secrets in their store, the session that uses both. */
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
      const valid = validateDraft(draft, this.#parts.drivers.manifestOf(draft.driver), []);
      const now = new Date().toISOString();
      const connection = toConnection(
        draft,
        valid,
        { id: randomUUID(), sample, createdAt: now, updatedAt: now },
        [],
      );
      await this.#storeSecrets(connection.id, valid);
      try {
        this.#parts.rows.insert(connection);
      } catch (error) {
        await this.#deleteSecrets(connection.id, connection.storedSecrets);
        throw error;
      }
      this.#parts.events.emit({ type: 'connectionsChanged' });
      return connection;
    });
  }

  update(id: string, draft: ConnectionDraft): Promise<Connection> {
    return this.#oneAtATime(async () => {
      const before = this.#required(id);
      const manifest = this.#parts.drivers.manifestOf(draft.driver);
      const kept = draft.driver === before.driver ? before.storedSecrets : [];
      // A caller that does not know of masking must not remove it.
      const whole = {
        ...draft,
        masking: draft.masking ?? before.masking,
        reachLimit: draft.reachLimit ?? before.reachLimit,
      };
      const valid = validateDraft(whole, manifest, kept);
      const after = toConnection(draft, valid, { ...before, updatedAt: new Date().toISOString() }, kept);
      await this.#storeSecrets(id, valid);
      this.#parts.rows.update(after);
      if (accessOf(before) !== accessOf(after)) this.#parts.onAccessChanged(id);
      await this.#deleteSecrets(
        id,
        before.storedSecrets.filter((field) => !after.storedSecrets.includes(field)),
      );
      if (reopens(before, after, valid)) await this.#parts.pool.close(id);
      this.#parts.events.emit({ type: 'connectionsChanged' });
      return after;
    });
  }

  remove(id: string): Promise<void> {
    return this.#oneAtATime(async () => {
      const connection = this.#required(id);
      this.#parts.rows.delete(id);
      await this.#parts.pool.remove(id);
      await this.#deleteSecrets(id, connection.storedSecrets);
      this.#parts.events.emit({ type: 'connectionsChanged' });
    });
  }

  reorder(ids: string[]): void {
    this.#parts.rows.reorder(ids);
    this.#parts.events.emit({ type: 'connectionsChanged' });
  }

  async test(
    draft: ConnectionDraft,
    { id, signal }: { id?: string; signal: AbortSignal },
  ): Promise<TestResult> {
    let redact = redactor([]);
    try {
      const stored = id === undefined ? undefined : this.#required(id);
      const kept = stored?.driver === draft.driver ? stored.storedSecrets : [];
      const { drivers } = this.#parts;
      if (!drivers.isReady(draft.driver)) await drivers.install(draft.driver, { signal });
      const { fields, secrets } = validateDraft(
        { ...draft, name: draft.name || 'Test' },
        drivers.manifestOf(draft.driver),
        kept,
      );
      const { home, hostEntry, timing, log } = this.#parts;
      const secretOf = async (field: ManifestField) => {
        const given = secrets.get(field.id);
        return given !== undefined || id === undefined ? (given ?? null) : this.#readSecret(id, kept, field);
      };
      const link = await linkOpener({
        home,
        hostEntry,
        drivers,
        driverId: draft.driver,
        fields,
        secretOf,
        log,
      }).open({
        signal,
        timeoutMs: timing.connectMs,
        onSecrets: (values) => {
          redact = redactor(values);
        },
        onInstalling: () => {},
        onExit: () => {},
      });
      try {
        const { warning } = await link.session.health({ signal, timeoutMs: timing.healthTimeoutMs });
        return {
          ok: true,
          server: link.session.server,
          ...(warning !== undefined && { warning: redact(warning) }),
        };
      } finally {
        await link.close();
      }
    } catch (error) {
      return { ok: false, error: appErrorDetails(toAppError(error, redact)) };
    }
  }

  /** How a saved connection's session is opened: always from what is stored at that moment. */
  opener(id: string): LinkOpener {
    const connection = this.#required(id);
    const { home, hostEntry, drivers, log } = this.#parts;
    return linkOpener({
      home,
      hostEntry,
      drivers,
      driverId: connection.driver,
      fields: connection.fields,
      secretOf: (field) => this.#readSecret(id, connection.storedSecrets, field),
      log,
    });
  }

  /** Waits for the change that is under way. */
  async close(): Promise<void> {
    await this.#lastChange;
  }

  async #readSecret(id: string, stored: readonly string[], field: ManifestField): Promise<string | null> {
    if (!stored.includes(field.id)) return null;
    const value = await this.#parts.secrets.get(secretName(id, field.id));
    if (value !== null) return value;
    throw new AppError({
      code: 'storage_failed',
      message: `${field.label} was stored, but the place where secrets are kept no longer has it`,
      hint: 'Unlock the keychain and start the app again, or enter the value again in the connection editor.',
    });
  }

  async #storeSecrets(id: string, { secrets }: ValidDraft): Promise<void> {
    for (const [field, value] of secrets) {
      if (value !== null) await this.#parts.secrets.set(secretName(id, field), value);
    }
  }

  /** The row no longer names them, so one that cannot be deleted now is never read again. */
  async #deleteSecrets(id: string, fields: readonly string[]): Promise<void> {
    for (const field of fields) {
      await this.#parts.secrets.delete(secretName(id, field)).catch((error: unknown) => {
        this.#parts.log.warn({ connection: id, field, problem: String(error) }, 'A secret was not deleted');
      });
    }
  }

  #required(id: string): Connection {
    const connection = this.get(id);
    if (connection) return connection;
    throw new AppError({ code: 'not_found', message: 'There is no connection with this id' });
  }

  /** Two changes at once must not mix the row of one with the secrets of the other. */
  #oneAtATime<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(change);
    this.#lastChange = result.catch(() => {});
    return result;
  }
}

type Kept = Pick<Connection, 'id' | 'sample' | 'createdAt' | 'updatedAt'>;

function toConnection(
  draft: ConnectionDraft,
  { fields, secrets, masking, reachLimit }: ValidDraft,
  { id, sample, createdAt, updatedAt }: Kept,
  storedBefore: readonly string[],
): Connection {
  const stored = new Set(storedBefore);
  for (const [field, value] of secrets) {
    if (value === null) stored.delete(field);
    else stored.add(field);
  }
  const { driver, externalClients, aiPolicy, safeMode, color } = draft;
  const storedSecrets = [...stored];
  const name = draft.name.trim();
  return {
    id,
    name,
    driver,
    fields,
    storedSecrets,
    externalClients,
    aiPolicy,
    safeMode,
    color,
    masking,
    reachLimit,
    sample,
    createdAt,
    updatedAt,
  };
}

function reopens(before: Connection, after: Connection, { secrets }: ValidDraft): boolean {
  const plain = ({ driver, fields, storedSecrets }: Connection) =>
    JSON.stringify([driver, Object.entries(fields).sort(), storedSecrets.toSorted()]);
  return [...secrets.values()].some((value) => value !== null) || plain(before) !== plain(after);
}

function accessOf({ externalClients, aiPolicy, masking, reachLimit }: Connection): string {
  return JSON.stringify([externalClients, aiPolicy, masking, reachLimit]);
}

function secretName(connectionId: string, field: string): string {
  return `${connectionId}/${field}`;
}
