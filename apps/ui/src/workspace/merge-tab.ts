import { mergeText } from './merge-text.ts';
import type { QueryTab, Tab, TableTab } from './workspace-state.ts';

export interface MergedTab {
  tab: Tab;
  /** Text of this window that has no place in the tab: both windows wrote at the same place. */
  apart?: string;
}

/**
 * A tab that another window changed, and perhaps this one too. `base` is what both began with. Text changed in
 * different places is merged. Text changed in the same place: the window that wrote first has the tab, the other one
 * keeps its text in a tab of its own. A table's view is the one that changed last.
 */
export function mergeTab(base: Tab | null, mine: Tab, theirs: Tab): MergedTab {
  if (mine.kind === 'query' && theirs.kind === 'query') {
    return mergeQuery(base?.kind === 'query' ? base : null, mine, theirs);
  }
  if (mine.kind === 'table' && theirs.kind === 'table') {
    return { tab: mergeTable(base?.kind === 'table' ? base : null, mine, theirs) };
  }
  return { tab: theirs };
}

function mergeQuery(base: QueryTab | null, mine: QueryTab, theirs: QueryTab): MergedTab {
  const before = { text: base?.text ?? '', showHistory: base?.showHistory ?? false };
  const text = mergeText(before.text, mine.text, theirs.text);
  const tab: QueryTab = {
    ...theirs,
    ...(mine.mount !== undefined && { mount: mine.mount }),
    text: text ?? theirs.text,
    showHistory: mine.showHistory === before.showHistory ? theirs.showHistory : mine.showHistory,
    savedId: mine.savedId === base?.savedId ? theirs.savedId : mine.savedId,
    // A tab that is closed elsewhere stays open for the one who types in it.
    closed: mine.text === before.text ? theirs.closed : mine.closed,
  };
  return text === null ? { tab: { ...tab, closed: theirs.closed }, apart: mine.text } : { tab };
}

function mergeTable(base: TableTab | null, mine: TableTab, theirs: TableTab): TableTab {
  return { ...theirs, view: mine.view === base?.view ? theirs.view : mine.view };
}
