import { SquareTerminal } from 'lucide-react';
import { mergeText } from '../../controls/code/merge-text.ts';
import { loadPart } from '../../controls/loading/load-part.ts';
import { showToast } from '../../data/messages/toast.tsx';
import type { MergedTab, TabKind } from '../../data/window/tab-kind.ts';
import { nextNumber, openQuery, type QueryTab } from './query-state.ts';
import { useSavedQuery } from './saved-queries.ts';

export const queryTabs: TabKind<QueryTab> = {
  kind: 'query',
  create: {
    label: 'New query',
    shortcut: 'Alt+N',
    isOffered: (manifest) => manifest?.editor.language !== 'none',
    open: (connectionId) => openQuery(connectionId),
  },
  useLabel(connectionId, tab) {
    const saved = useSavedQuery(connectionId, tab.savedId);
    const isChanged = saved !== undefined && saved.text !== tab.text;
    return {
      title: saved?.name ?? `Query ${tab.number}`,
      icon: SquareTerminal,
      mark: isChanged ? { label: 'changed', title: 'Changed since it was saved' } : undefined,
    };
  },
  // The editor is one of the largest parts of the window. The list of connections and the home do not need it.
  Content: loadPart(() => import('./query-tab.tsx')),
  read({ text, number, showHistory, savedId }) {
    if (typeof text !== 'string' || typeof number !== 'number') return null;
    const saved = typeof savedId === 'string' ? { savedId } : {};
    return { number, text, showHistory: showHistory === true, ...saved };
  },
  merge: mergeQuery,
  hasOwnChanges: (base, mine) => mine.text !== (base?.text ?? ''),
  onSplit(tab) {
    showToast({
      title: `Your text is now in Query ${tab.number}`,
      description:
        'Another window changed the same place of this query. The old tab keeps the text of that window.',
    });
  },
  beside: (tab, others) => ({
    ...tab,
    number: others.some(({ number }) => number === tab.number) ? nextNumber(others) : tab.number,
    savedId: others.some(({ savedId }) => savedId === tab.savedId) ? undefined : tab.savedId,
  }),
  canReopen: (tab) => tab.text.trim() !== '',
};

/**
 * Text that was changed in different places is merged. If both windows changed the same place, the window that wrote
 * first keeps the tab, and the other keeps its text in a new tab.
 */
function mergeQuery(
  base: QueryTab | null,
  mine: QueryTab,
  theirs: QueryTab,
  merged: QueryTab,
): MergedTab<QueryTab> {
  const before = base?.text ?? '';
  const text = mergeText(before, mine.text, theirs.text);
  if (text === null) return { tab: { ...merged, text: theirs.text }, apart: mine };
  // If this window changed the text and the merge succeeds, this window decides whether the tab is closed.
  return { tab: { ...merged, text, closed: mine.text === before ? theirs.closed : mine.closed } };
}
