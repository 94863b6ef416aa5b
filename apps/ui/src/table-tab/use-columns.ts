import type { TableDescription } from '@trestle/driver-kit';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ColumnActs } from '../panels/grid/index.ts';
import { arranged, hide, isPlain, move, pin, plainLayout, resize, show } from './column-layout.ts';
import { columnLayoutStore } from './column-layout-store.ts';
import { pinnedByDefault } from './table-lines.ts';

/** The arrangement of the table's columns, and the functions that change it. */
export function useColumns(options: {
  connectionId: string;
  description: TableDescription;
  widths: Record<string, number> | undefined;
  onChoose(): void;
  onSummarise: ((name: string) => void) | undefined;
}) {
  const { connectionId, description, widths, onChoose, onSummarise } = options;
  const { store, change } = columnLayoutStore(connectionId, description.name, widths);
  const layout = useStore(store);
  const names = useMemo(
    () => description.columns.filter(({ hidden }) => !hidden).map(({ name }) => name),
    [description],
  );
  const hidden = useMemo(() => names.filter((name) => layout.hidden.includes(name)), [names, layout.hidden]);
  const acts = useMemo(
    (): ColumnActs => ({
      hide: (name) => change((now) => hide(now, [name])),
      pin: (name, isPinned) =>
        change((now) => pin(now, now.pinned ?? pinnedByDefault(description), name, isPinned)),
      move: (name, to) => change((now) => move(now, arranged(names, now.order), name, to)),
      resize: (wanted) => change((now) => resize(now, wanted)),
      choose: onChoose,
      summarise: onSummarise,
      reset: isPlain(layout) ? undefined : () => change(() => plainLayout),
      hiddenCount: hidden.length,
    }),
    [change, description, names, onChoose, onSummarise, layout, hidden.length],
  );
  return {
    layout,
    /** In the order of the description. */
    names,
    hidden,
    acts,
    show: (some: string[]) => change((now) => show(now, some)),
    hide: (some: string[]) => change((now) => hide(now, some)),
  };
}

export type Columns = ReturnType<typeof useColumns>;
