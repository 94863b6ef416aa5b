import { setOwnValue } from '@trestle/core/staged-edits';

/** The user's arrangement of the columns of a table. It may still name columns that are gone. */
export interface ColumnLayout {
  hidden: string[];
  /** Null: the columns that are pinned by default. */
  pinned: string[] | null;
  /** Empty: the order of the table's description. */
  order: string[];
  widths: Record<string, number>;
}

export const plainLayout: ColumnLayout = { hidden: [], pinned: null, order: [], widths: {} };

/** The names in the user's order. A new column follows its predecessor in the description, or comes first. */
export function arranged(names: string[], order: string[]): string[] {
  if (order.length === 0) return names;
  const here = new Set(names);
  const placed = order.filter((name) => here.has(name));
  const known = new Set(placed);
  names.forEach((name, at) => {
    if (known.has(name)) return;
    const before = at === 0 ? -1 : placed.indexOf(names[at - 1] as string);
    placed.splice(before + 1, 0, name);
    known.add(name);
  });
  return placed;
}

export function hide(layout: ColumnLayout, names: string[]): ColumnLayout {
  return { ...layout, hidden: [...new Set([...layout.hidden, ...names])] };
}

export function show(layout: ColumnLayout, names: string[]): ColumnLayout {
  const shown = new Set(names);
  return { ...layout, hidden: layout.hidden.filter((name) => !shown.has(name)) };
}

/** `now`: the columns that are currently pinned. */
export function pin(layout: ColumnLayout, now: string[], name: string, isPinned: boolean): ColumnLayout {
  const others = now.filter((other) => other !== name);
  return { ...layout, pinned: isPinned ? [...others, name] : others };
}

/** `names`: all columns in their current order. */
export function move(
  layout: ColumnLayout,
  names: string[],
  name: string,
  to: { column: string; side: 'before' | 'after' },
): ColumnLayout {
  const order = names.filter((other) => other !== name);
  const at = order.indexOf(to.column);
  if (at < 0 || name === to.column) return layout;
  order.splice(to.side === 'before' ? at : at + 1, 0, name);
  return { ...layout, order };
}

export function resize(layout: ColumnLayout, widths: Record<string, number | null>): ColumnLayout {
  const next = { ...layout.widths };
  for (const [name, width] of Object.entries(widths)) {
    if (width === null) delete next[name];
    else setOwnValue(next, name, Math.round(width));
  }
  return { ...layout, widths: next };
}

export function isPlain({ hidden, pinned, order, widths }: ColumnLayout): boolean {
  return hidden.length === 0 && pinned === null && order.length === 0 && Object.keys(widths).length === 0;
}
