import type { QueryTab, Tab, TableTab } from '../data/window/workspace-state.ts';
import { mergeText } from '../panels/query-editor/merge-text.ts';

export interface MergedTab {
  tab: Tab;
  /** Text of this window that does not fit into the tab, because another window changed the same place. */
  apart?: string;
}

/**
 * Merges a tab that another window changed. This window may have changed the tab too. `base` is the state that both
 * windows started from. Text changed in different places is merged. If both changed the same place, the window that
 * wrote first keeps the tab, and the other keeps its text in a new tab. For a table's view, the last change wins.
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
    // If this window changed the text and the merge succeeds, this window decides whether the tab is closed.
    closed: mine.text === before.text ? theirs.closed : mine.closed,
  };
  return text === null ? { tab: { ...tab, closed: theirs.closed }, apart: mine.text } : { tab };
}

function mergeTable(base: TableTab | null, mine: TableTab, theirs: TableTab): TableTab {
  return {
    ...theirs,
    ...(mine.mount !== undefined && { mount: mine.mount }),
    view: mine.view === base?.view ? theirs.view : mine.view,
  };
}
