import { type Cell, cellToText } from '@trestle/driver-kit';

/** How the points are coloured. Each point has an index into the palette, or `none`. */
export type Colouring = Categories | Scale;

export interface Categories {
  kind: 'categories';
  entries: Entry[];
  /** For each point the index of its colour, or `none`. An entry and its colour have the same index. */
  of: Uint8Array;
}

/** One entry of the legend. */
export interface Entry {
  label: string;
  count: number;
  /** Set for the entry that the less common values share. */
  isRest?: true;
}

export interface Scale {
  kind: 'scale';
  least: string;
  most: string;
  /** For each point a step from 0 to `steps` - 1, or `none`. */
  of: Uint8Array;
}

export const none = 255;
export const steps = 64;
/** The design has this many colours. If there are more values, the less common ones share the last colour. */
const mostCategories = 8;

export function plainColouring(points: number): Categories {
  return { kind: 'categories', entries: [], of: new Uint8Array(points) };
}

/** Numbers and dates get a scale. For other types, each of the most common values gets a colour. */
export function colouringOf(values: Cell[], type: string): Colouring {
  if (type === 'int' || type === 'number') return scaleOf(values.map(toNumber), (value) => String(value));
  if (type === 'date') {
    const times = values.map((value) => (value === null ? Number.NaN : Date.parse(cellToText(value))));
    return scaleOf(times, (time) => new Date(time).toISOString().slice(0, 10));
  }
  return categoriesOf(values.map(labelOf));
}

function toNumber(value: Cell): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** A list is labelled by its first value. */
function labelOf(value: Cell): string | null {
  const one = Array.isArray(value) ? (value[0] ?? null) : value;
  return one === null ? null : cellToText(one as Cell).slice(0, 60);
}

function scaleOf(values: number[], label: (value: number) => string): Scale {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const of = Uint8Array.from(values, (value) => {
    if (!Number.isFinite(value)) return none;
    if (most === least) return 0;
    return Math.min(steps - 1, Math.floor(((value - least) / (most - least)) * steps));
  });
  const has = most >= least;
  return { kind: 'scale', least: has ? label(least) : '', most: has ? label(most) : '', of };
}

function categoriesOf(labels: (string | null)[]): Categories {
  const counts = new Map<string, number>();
  for (const label of labels) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  const common = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const named = common.slice(0, common.length > mostCategories ? mostCategories - 1 : mostCategories);
  const entries: Entry[] = named.map(([label, count]) => ({ label, count }));
  const rest = common.slice(named.length);
  if (rest.length > 0) {
    const count = rest.reduce((sum, [, one]) => sum + one, 0);
    entries.push({ label: `${rest.length} others`, count, isRest: true });
  }
  const index = new Map(named.map(([label], at) => [label, at]));
  const of = Uint8Array.from(labels, (label) =>
    label === null ? none : (index.get(label) ?? entries.length - 1),
  );
  return { kind: 'categories', entries, of };
}

/** Identifies a hidden entry: its label, or null for the entry of the less common values, whose label changes. */
export function hiddenValue({ label, isRest }: Entry): string | null {
  return isRest ? null : label;
}

/** The indexes of the hidden entries. `hidden` has values of `hiddenValue`, since indexes change with the rows. */
export function hiddenEntries(colouring: Colouring, hidden: ReadonlySet<string | null>): ReadonlySet<number> {
  if (colouring.kind === 'scale') return new Set();
  return new Set(colouring.entries.flatMap((entry, index) => (hidden.has(hiddenValue(entry)) ? index : [])));
}
