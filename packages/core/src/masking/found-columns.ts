import type { LinkSession } from '@trestle/driver-host';
import { type Cell, driverErrorDetails, type Guarded, isDriverError, type RowSet } from '@trestle/driver-kit';
import type { EventHub } from '../events/events.ts';
import type { ManagedSession } from '../sessions/managed-session.ts';
import type { MaskPattern } from '../types.ts';
import { holdsPattern } from './mask-values.ts';

/** What a call is about: a table, or a statement that may name several. */
export interface Subject {
  connectionId: string;
  session: ManagedSession;
  table?: string | undefined;
  text?: string | undefined;
  call: { signal: AbortSignal; timeoutMs?: number };
}

/**
 * Columns in which a pattern is found. Their values are replaced wherever they stand as they are; an expression,
 * a filter or a sort would tell them in another form, so that such columns are guarded like masked ones.
 */
export class FoundColumns {
  readonly #known = new Map<string, { at: number; value: unknown }>();

  constructor(events: Pick<EventHub, 'on'>) {
    events.on((event) => {
      if (event.type === 'schemaChanged' || event.type === 'rowsChanged') this.#forget(event.connectionId);
    });
  }

  async find(patterns: readonly MaskPattern[], subject: Subject): Promise<Guarded> {
    const { session, table, text, call } = subject;
    if (patterns.length === 0 || (table === undefined && text === undefined)) return [];
    return session.use(call.signal, async ({ session: link }) => {
      const tables = table === undefined ? await this.#named(text ?? '', link, subject) : [table];
      const found: Guarded[] = [];
      for (const name of tables) {
        const key = `${subject.connectionId} ${patterns} ${name.toLowerCase()}`;
        // Found once is found for good: rows that a client adds must not make the others look few.
        const before = (this.#known.get(key)?.value ?? []) as Guarded;
        const read = async () => {
          const now = await sample(name, patterns, link, call);
          return now && [...now, ...before.filter((one) => !now.some(({ column }) => column === one.column))];
        };
        found.push((await this.#once(key, read)) ?? before);
      }
      return found.flat();
    });
  }

  /** The tables whose name stands in a statement, wherever: one too many is looked at in vain. */
  async #named(text: string, link: LinkSession, { connectionId, call }: Subject): Promise<string[]> {
    const all = await this.#once(`${connectionId} tables`, async () =>
      (await link.listTables(call)).map(({ name }) => name),
    );
    // A quote inside of a quoted name is written twice.
    const texts = [text, text.replace(/(["'`])\1/g, '$1')].map((one) => one.toLowerCase());
    return all.filter((name) => texts.some((one) => one.includes(name.toLowerCase())));
  }

  async #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key);
    if (known && Date.now() - known.at < keptMs) return known.value as T;
    const value = await read();
    if (value === undefined) return value;
    this.#known.delete(key);
    this.#known.set(key, { at: Date.now(), value });
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > maxKnown) this.#known.delete(oldest);
    return value;
  }

  #forget(connectionId: string): void {
    for (const [key, known] of this.#known) if (key.startsWith(`${connectionId} `)) known.at = 0;
  }
}

/** Others change the data too, and tell nobody. */
const keptMs = 60_000;
const maxKnown = 2_000;
const sampleRows = 200;

async function sample(
  table: string,
  patterns: readonly MaskPattern[],
  link: LinkSession,
  call: Subject['call'],
): Promise<Guarded | undefined> {
  const rows = await firstRows(table, link, call);
  return rows?.columns.flatMap(({ name }, index) => {
    const values = rows.values[index];
    const cells = values?.kind === 'cells' ? values.cells.filter((cell) => cell !== null) : [];
    return isOfPattern(cells, patterns) ? [{ table, column: name }] : [];
  });
}

/** A text that mentions an address once in a while stays a text, in which that one value is replaced. */
function isOfPattern(cells: Cell[], patterns: readonly MaskPattern[]): boolean {
  const hits = cells.filter((cell) => holdsPattern(cell, patterns)).length;
  return hits > 0 && hits * 10 >= cells.length;
}

/** Undefined for what cannot be read: the call itself will say why. */
async function firstRows(
  table: string,
  link: LinkSession,
  call: Subject['call'],
): Promise<RowSet | undefined> {
  const request = { table, filters: [], match: 'all' as const, sort: [], limit: sampleRows, offset: 0 };
  try {
    return (await link.browse(request, call)).rows;
  } catch (error) {
    if (!isDriverError(error) || endings.has(driverErrorDetails(error).code)) throw error;
  }
  try {
    const partitions = (await link.listPartitions?.(table, call)) ?? [];
    const first = partitions.find(({ unavailable }) => unavailable === undefined);
    return first && (await link.browse({ ...request, partition: first.name }, call)).rows;
  } catch (error) {
    if (!isDriverError(error) || endings.has(driverErrorDetails(error).code)) throw error;
    return undefined;
  }
}

const endings = new Set<string>(['cancelled', 'timeout', 'driver_crashed', 'connection_failed']);
