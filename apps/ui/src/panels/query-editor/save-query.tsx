import { useState } from 'react';
import { NameDialog } from '../../controls/dialogs/name-dialog.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import { newId, workspace } from '../../data/window/workspace-store.ts';
import type { QueryTab } from './query-state.ts';
import { suggestedName } from './result-entries.ts';
import { savedQueries, useSavedQuery } from './saved-queries.ts';

/** Saves the text of a tab, unless the text is empty. Asks for a name in `saveAs`, or if the tab has no saved query. */
export function useSaveQuery(connectionId: string, tab: QueryTab) {
  const [asking, setAsking] = useState(false);
  const saved = useSavedQuery(connectionId, tab.savedId);
  const saveAs = (name: string) => {
    const id = newId();
    savedQueries.save(connectionId, { id, name, text: tab.text });
    workspace.changeTab<QueryTab>(connectionId, tab.id, { savedId: id });
    setAsking(false);
  };
  return {
    name: saved?.name,
    isChanged: saved !== undefined && saved.text !== tab.text,
    save() {
      if (tab.text.trim() === '') showToast({ title: 'There is nothing to save yet' });
      else if (!saved || tab.savedId === undefined) setAsking(true);
      else savedQueries.save(connectionId, { id: tab.savedId, name: saved.name, text: tab.text });
    },
    saveAs() {
      if (tab.text.trim() === '') showToast({ title: 'There is nothing to save yet' });
      else setAsking(true);
    },
    dialog: (
      <NameDialog
        open={asking}
        title="Save the query"
        act="Save"
        initial={saved?.name ?? suggestedName(tab.text)}
        onName={saveAs}
        onClose={() => setAsking(false)}
      />
    ),
  };
}
