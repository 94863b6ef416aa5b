import { randomUUID } from 'node:crypto';
import type { LinkCall, LinkSession } from '@trestle/driver-host';
import {
  type Change,
  driverErrorDetails,
  type Guarded,
  holdsPattern,
  isDriverError,
  isGuarded,
  type MaskedKinds,
  maskedColumn,
  mayHoldKinds,
  mostKindBytes,
  mostKindRows,
  type RowSet,
  type TableDescription,
  weigh,
} from '@trestle/driver-kit';
import type { EventHub } from '../events/events.ts';
import type { ManagedSession } from '../sessions/managed-session.ts';
import { SharedTask } from '../shared-task.ts';
import type { Masking } from '../types.ts';

/** The subject of a call: a table, changes of a table, or a statement that may name several tables. */
export interface MaskSubject {
  connectionId: string;
  session: ManagedSession;
  table?: string | undefined;
  changes?: readonly Change[] | undefined;
  text?: string | undefined;
  call: LinkCall;
}

/** The closed columns, and the mark that each table had when its columns were read. */
export interface ClosedNow {
  closed: Guarded;
  marks: MaskedKinds['marks'];
}

type Patterns = Pick<Masking, 'patterns' | 'open'>;

interface Reading {
  at: number;
  /** The driver's mark of the table, taken before the reading. Null if the driver gives none. */
  mark: string | null;
  /**
   * Columns in which a masked kind of value was found. Later readings keep them: a client must not open a column by
   * changing rows.
   */
  found: string[];
  /** Columns that could not be read completely. `*` stands for all columns. */
  unread: string[];
}

/**
 * Finds the closed columns: those that contain a masked kind of value in any row. An expression, a filter or a sort
 * could reveal such values in another form, so closed columns are guarded like masked ones. A column that could not be
 * read completely counts as closed too. A reading is used again only while the table's mark stays the same.
 */
export class ClosedColumns {
  readonly #known = new Map<string, Reading>();
  readonly #running = new Map<string, { mark: string | null; task: SharedTask<Reading> }>();

  constructor(events: Pick<EventHub, 'on'>) {
    events.on((event) => {
      if (event.type === 'schemaChanged' || event.type === 'rowsChanged') this.#forget(event.connectionId);
    });
  }

  async find(masking: Patterns, subject: MaskSubject): Promise<ClosedNow> {
    const { session, table, text, call } = subject;
    if (masking.patterns.length === 0 || (table === undefined && text === undefined))
      return { closed: [], marks: [] };
    const tables = await session.use(call.signal, ({ session: link }) => tablesOf(link, subject));
    if (tables === null) return { closed: [{ table: '*', column: '*' }], marks: [] };
    const found: ClosedNow[] = [];
    for (const name of tables) found.push(await this.#closed(name, masking, subject));
    return { closed: found.flatMap(({ closed }) => closed), marks: found.flatMap(({ marks }) => marks) };
  }

  /** The next call reads the tables of the connection again: an answer held a masked kind of value in an open column. */
  forget(connectionId: string): void {
    this.#forget(connectionId);
  }

  async #closed(
    table: string,
    masking: Patterns,
    { connectionId, session, call }: MaskSubject,
  ): Promise<ClosedNow> {
    const key = `${connectionId} ${JSON.stringify([table, masking.patterns, masking.open])}`;
    const mark = await session.use(call.signal, ({ session: link }) => markOf(link, table, call));
    const known = this.#known.get(key);
    const fresh = known && performance.now() - known.at < keptMs && known.mark === mark;
    const { found, unread } = fresh ? known : await this.#read(key, table, masking, { session, call, mark });
    return {
      closed: [...found, ...unread].map((column) => ({ table, column })),
      marks: mark === null ? [] : [{ table, mark }],
    };
  }

  /** A call joins a running reading of its table, unless that reading was aborted or is out of date. */
  #read(
    key: string,
    table: string,
    masking: Patterns,
    { session, call, mark }: Pick<MaskSubject, 'session' | 'call'> & Pick<Reading, 'mark'>,
  ): Promise<Reading> {
    const current = this.#running.get(key);
    if (current?.mark === mark && !current.task.isAborted) return current.task.join(call.signal);
    const task: SharedTask<Reading> = new SharedTask(async (signal) => {
      const before = this.#foundInAnyCase(key);
      const at = performance.now();
      try {
        const reading = await session.use(signal, ({ session: link }) =>
          readTable(link, table, masking, before, { ...call, signal }),
        );
        // If rows or the schema changed meanwhile, `#forget` removed this reading from `#running`. It may have missed a
        // value, so it is not kept.
        if (this.#running.get(key) === running) this.#keep(key, { at, mark, ...reading });
        return { at, mark, ...reading };
      } finally {
        if (this.#running.get(key) === running) this.#running.delete(key);
      }
    });
    const running = { mark, task };
    this.#running.set(key, running);
    return task.join(call.signal);
  }

  /** A client may spell the table in another case. That must not open a column that was found to be closed. */
  #foundInAnyCase(key: string): string[] {
    const wanted = key.toLowerCase();
    return [...this.#known].flatMap(([one, { found }]) => (one.toLowerCase() === wanted ? found : []));
  }

  #keep(key: string, reading: Reading): void {
    this.#known.delete(key);
    // A driver chooses the names of columns. A table with longer names is read again for each call.
    if (weigh([key, reading]) > maxKnownBytes) return;
    this.#known.set(key, reading);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > maxKnown) this.#known.delete(oldest);
  }

  #forget(connectionId: string): void {
    for (const [key, known] of this.#known)
      if (key.startsWith(`${connectionId} `)) known.at = Number.NEGATIVE_INFINITY;
    for (const key of this.#running.keys()) if (key.startsWith(`${connectionId} `)) this.#running.delete(key);
  }
}

/** After this time the values are read again, since a mark may miss a change of another program. */
const keptMs = 60_000;
const maxKnown = 2_000;
const maxKnownBytes = 256 * 1024;

/**
 * The tables that the call may read, and the tables whose values they show. Null if the driver answers with an
 * error. A cancel, a timeout, a crash and a lost connection are thrown.
 */
async function tablesOf(link: LinkSession, subject: MaskSubject): Promise<string[] | null> {
  const { table, text, changes, call } = subject;
  try {
    if (text !== undefined) return await tablesIn(link, text, call);
    if (changes) return [...new Set([table!, ...(await tablesBehind(link, subject, changes))])];
    const { kind, exampleQuery } = await link.describeTable(table!, call);
    if (kind === 'view') return [...new Set([table!, ...(await tablesIn(link, exampleQuery, call))])];
    // A driver without a query language has no example, and cannot classify one.
    if (exampleQuery === '') return [table!];
    // A table may show values of others too: a full-text index of SQLite reads another table.
    const { tables = [] } = await link.classify(exampleQuery, call);
    return [...new Set([table!, ...tables])];
  } catch (error) {
    throwIfOver(error);
    // All columns are closed for this call.
    return null;
  }
}

/** The tables that the changes read, for example by triggers. Changes of the same columns read the same tables. */
async function tablesBehind(
  link: LinkSession,
  { table, call }: MaskSubject,
  changes: readonly Change[],
): Promise<string[]> {
  const alike = new Map(changes.map((change) => [shapeOf(change), change]));
  const request = { table: table!, changes: [...alike.values()].slice(0, mostShapes) };
  const previews = (await link.previewChanges?.(request, call)) ?? [];
  const found: string[] = [];
  for (const { text } of previews) found.push(...(await tablesIn(link, text, call).catch(noneUnlessOver)));
  return found;
}

function shapeOf(change: Change): string {
  const columns = change.kind === 'delete' ? [] : Object.keys(change.values).sort();
  return JSON.stringify([change.kind, columns]);
}

/** The driver itself reads the tables of further changes, and refuses those with a masked kind of value. */
const mostShapes = 20;

/** The preview of a change that the driver would refuse is no statement. */
function noneUnlessOver(error: unknown): string[] {
  throwIfOver(error);
  return [];
}

/** The tables that a statement reads. All tables, if the driver's parser cannot determine them. */
async function tablesIn(link: LinkSession, text: string, call: MaskSubject['call']): Promise<string[]> {
  const { tables } = await link.classify(text, call);
  if (tables) return tables;
  return (await link.listTables(call)).map(({ name }) => name);
}

/** If the driver fails to give a mark, the table is read again. */
async function markOf(link: LinkSession, table: string, call: MaskSubject['call']): Promise<string | null> {
  try {
    return (await link.changeMark?.(table, call)) ?? null;
  } catch (error) {
    throwIfOver(error);
    return randomUUID();
  }
}

async function readTable(
  link: LinkSession,
  table: string,
  { patterns, open = [] }: Patterns,
  before: string[],
  call: MaskSubject['call'],
): Promise<Pick<Reading, 'found' | 'unread'>> {
  const description = await describeIfThere(link, table, call);
  if (!description) return { found: before, unread: ['*'] };
  const opened = open.flatMap(maskedColumn);
  const candidates = description.columns
    .filter(({ name, type, hidden }) => !hidden && mayHoldKinds(type) && !isGuarded(opened, table, name))
    .map(({ name }) => name);
  const found = new Set(before.filter((name) => candidates.includes(name)));
  const rest = () => candidates.filter((name) => !found.has(name));
  try {
    const read = await readAll(link, description, { wanted: rest, call }, (rows) => {
      for (const [index, { name }] of rows.columns.entries()) {
        const values = rows.values[index];
        if (found.has(name) || values?.kind !== 'cells' || !candidates.includes(name)) continue;
        if (values.cells.some((cell) => holdsPattern(cell, patterns))) found.add(name);
      }
    });
    return { found: [...found], unread: read ? [] : rest() };
  } catch (error) {
    throwIfOver(error);
    return { found: [...found], unread: rest() };
  }
}

/** Undefined if the table cannot be described, for example because another program deleted it after it was listed. */
async function describeIfThere(
  link: LinkSession,
  table: string,
  call: MaskSubject['call'],
): Promise<TableDescription | undefined> {
  try {
    return await link.describeTable(table, call);
  } catch (error) {
    throwIfOver(error);
    return undefined;
  }
}

/** Whether all rows of all partitions were read, or no column is wanted any more. */
async function readAll(
  link: LinkSession,
  { name: table, partitioned }: TableDescription,
  { wanted, call }: { wanted: () => string[]; call: MaskSubject['call'] },
  onRows: (rows: RowSet) => void,
): Promise<boolean> {
  if (!link.exportRows || (partitioned && !link.listPartitions)) return false;
  const partitions = partitioned ? await link.listPartitions!(table, call) : [undefined];
  let rows = 0;
  let bytes = 0;
  for (const partition of partitions) {
    if (wanted().length === 0) return true;
    if (partition?.unavailable !== undefined) return false;
    const request = { table, columns: wanted(), filters: [], match: 'all' as const, sort: [] };
    const batches = link.exportRows({ ...request, ...(partition && { partition: partition.name }) }, call);
    for await (const batch of batches) {
      onRows(batch);
      if (wanted().length === 0) break;
      rows += batch.rowCount;
      bytes += weigh(batch);
      if (rows > mostKindRows || bytes > mostKindBytes) return false;
    }
  }
  return true;
}

function throwIfOver(error: unknown): void {
  if (!isDriverError(error) || endings.has(driverErrorDetails(error).code)) throw error;
}

const endings = new Set<string>(['cancelled', 'timeout', 'driver_crashed', 'connection_failed']);
