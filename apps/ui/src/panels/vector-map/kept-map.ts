import { packWire, unpackWire } from '@trestle/driver-kit';
import { api, data } from '../../data/api/api.ts';
import type { DoneMap, DrawnMap, MapQuestion } from './map-question.ts';
import { MapRows, type PackedRows } from './map-rows.ts';

/** Shows at low cost whether rows may have changed: the number of rows, and a checksum of some of them. */
export interface Fingerprint {
  total: number;
  /** Empty if the map has no rows, or the driver cannot read single rows. */
  sum: string;
}

export interface KeptMap extends DoneMap {
  print: Fingerprint;
}

interface Stored {
  format: number;
  columns: string[];
  rows: PackedRows;
  positions: Float32Array;
  more: boolean;
  at: number;
  print: Fingerprint;
}

/** Increase this number when an old stored map would be read wrongly or look different. */
const format = 1;
const rowsLookedAt = 48;

/** The stored map from the app. Null if there is none, or if it has another format or other columns. */
export async function loadMap(question: MapQuestion, signal: AbortSignal): Promise<KeptMap | null> {
  const bytes = await data('keptMap', question.connectionId, { key: nameOf(question) }, signal);
  if (!bytes) return null;
  const stored = unpackWire(bytes) as Stored;
  if (stored.format !== format || JSON.stringify(stored.columns) !== JSON.stringify(question.columns))
    return null;
  const rows = MapRows.unpack(stored.rows, question.key, question.columns);
  const { positions, more, at, print } = stored;
  return { stage: 'done', drawn: { rows, positions }, more, at, print };
}

/** Stores the map in the app. Returns false if the map is too large or its connection was deleted meanwhile. */
export function keepMap(question: MapQuestion, { drawn, more, at, print }: KeptMap): Promise<boolean> {
  const { columns } = question;
  const stored: Stored = {
    format,
    columns,
    rows: drawn.rows.pack(),
    positions: drawn.positions,
    more,
    at,
    print,
  };
  return data('keepMap', question.connectionId, {
    key: nameOf(question),
    table: question.request.table,
    bytes: packWire(stored),
  });
}

/** Whether the app still has the map. The app drops it, for example, if a caller changes rows of its table. */
export function isStillKept(question: MapQuestion, signal: AbortSignal): Promise<boolean> {
  return data('hasKeptMap', question.connectionId, { key: nameOf(question) }, signal);
}

/**
 * Counts the rows. If the driver can read single rows, also reads some, spread over all rows of the map. The
 * fingerprint usually misses a change of a single row by another program. With the rows that it reads, it can notice
 * new vectors for all rows, a new import of the data or a restored backup.
 */
export async function fingerprint(
  question: MapQuestion,
  { rows }: DrawnMap,
  { canReadCells, signal }: { canReadCells: boolean; signal: AbortSignal | undefined },
): Promise<Fingerprint> {
  const { connectionId, request, columns, vector } = question;
  const total = await api.tables.count.query({ connectionId, request }, { signal });
  if (!canReadCells || rows.count === 0) return { total, sum: '' };
  const keys = spread(rows.keys, rowsLookedAt);
  const { table, partition } = request;
  const asked = { table, ...(partition !== undefined && { partition }), keys, columns: [...columns, vector] };
  const bytes = packWire(await data('readCells', connectionId, asked, signal));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return { total, sum: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}

/** At most `most` of the items, at equal steps from the first to the end. */
export function spread<Item>(items: Item[], most: number): Item[] {
  const step = Math.ceil(items.length / most);
  return items.filter((_, at) => at % step === 0);
}

function nameOf({ request, vector, limit, sample }: MapQuestion): string {
  const { table, partition, filters, match } = request;
  return JSON.stringify([table, partition ?? null, filters, match, vector, limit, sample]);
}
