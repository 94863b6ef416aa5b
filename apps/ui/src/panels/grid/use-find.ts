import { foldText } from '@trestle/driver-kit';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { matchesIn, matchFrom } from './find-matches.ts';
import type { GridActions } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import type { GridModel } from './model.ts';
import { type Position, single } from './navigation.ts';

/** After this time the search pauses between two lines, so that the window can draw. */
const sliceMs = 10;

/** Searches the page for the text of the find bar, line by line, and searches again when the grid changes. */
export function useFind(store: GridStore, model: GridModel, actions: GridActions) {
  const query = useStore(store, ({ find }) => find?.query ?? null);
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (query === null) return;
    const folded = foldText(query);
    // If the grid changed and the text did not, the active cell stays where it is.
    const isNew = asked.current !== folded;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let row = 0;
    const matches: Position[] = [];
    const search = () => {
      const until = performance.now() + sliceMs;
      while (row < model.lines.length && performance.now() < until) {
        matches.push(...matchesIn(model, row++, folded));
      }
      const done = row >= model.lines.length;
      const { active } = store.getState().selection;
      store.setState({ find: { query, matches: [...matches], at: matchFrom(matches, active), done } });
      if (!done) {
        timer = setTimeout(search);
        return;
      }
      // Set at the end: if the grid changes before the search is done, the next search must still go to a match.
      asked.current = folded;
      if (isNew && folded !== '') goTo(store, actions, matchFrom(matches, active));
    };
    search();
    return () => clearTimeout(timer);
  }, [query, model, store, actions]);
}

/** Goes to the next or previous match, and wraps round at the ends. */
export function stepFind(store: GridStore, actions: GridActions, by: 1 | -1): void {
  const { find, selection } = store.getState();
  if (!find || find.matches.length === 0) return;
  const { active } = selection;
  const here = find.matches[find.at];
  const isAt = here?.row === active.row && here.column === active.column;
  const first = matchFrom(find.matches, active);
  const next = isAt ? find.at + by : by > 0 ? first : first - 1;
  goTo(store, actions, (next + find.matches.length) % find.matches.length);
}

function goTo(store: GridStore, actions: GridActions, at: number): void {
  const { find } = store.getState();
  const match = find?.matches[at];
  if (!find || !match) return;
  store.setState({ find: { ...find, at } });
  actions.select(single(match));
}
