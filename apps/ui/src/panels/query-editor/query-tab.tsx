import { useQuery } from '@tanstack/react-query';
import type { Manifest } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { NameDialog } from '../../controls/dialogs/name-dialog.tsx';
import { data } from '../../data/api/api.ts';
import type { Connection } from '../../data/api/api-types.ts';
import { showToast } from '../../data/messages/toast.tsx';
import { useStatus } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { tabsOf } from '../../data/window/workspace-state.ts';
import { newId, useWorkspace, workspace } from '../../data/window/workspace-store.ts';
import { CodeDialog } from '../request-code/index.ts';
import { CodeEditor, type CodeEditorHandle } from './code-editor.tsx';
import { ConfirmRun } from './confirm-run.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { type QueryActs, useQueryCommands } from './query-commands.ts';
import { isQuery, type QueryTab } from './query-state.ts';
import styles from './query-tab.module.css';
import { suggestedName } from './result-entries.ts';
import { Results } from './results.tsx';
import { RunBar } from './run-bar.tsx';
import type { Marked } from './run-mark.ts';
import { savedQueries, useSavedQuery } from './saved-queries.ts';
import { useEditorLanguage } from './use-editor-language.ts';
import { useResults } from './use-results.ts';
import { useRunQuery } from './use-run-query.ts';

export default function QueryTabContent(props: {
  connection: Connection;
  manifest: Manifest;
  tab: QueryTab;
  isActive: boolean;
}) {
  const { connection, manifest, tab, isActive } = props;
  const editor = useRef<CodeEditorHandle>(null);
  const [limit, setLimit] = useState(1000);
  const [hasSelection, setHasSelection] = useState(false);
  const language = useEditorLanguage(connection.id, manifest.editor.language);
  const [marked, setMarked] = useState<Marked | null>(null);
  const query = useRunQuery(connection, limit);
  const [converted, setConverted] = useState<string | null>(null);
  const { capabilities } = useStatus(connection.id);
  const saving = useSaveQuery(connection.id, tab);
  const title = saving.name ?? `Query ${tab.number}`;
  const results = useResults(query.batch, title);
  const acts: QueryActs = {
    run() {
      const several = editor.current?.selectedTexts();
      if (several) return void query.runAll(several);
      const text = editor.current?.textToRun();
      if (text?.trim()) void query.run(text);
      if (text === null) sayTooLong('the statement at the cursor', 'Select the statement, then run it.');
    },
    runAll() {
      const texts = editor.current?.textsToRun();
      if (texts === null) sayTooLong('its statements', 'Select one statement, then run it.');
      else if (texts?.some((text) => text.trim() !== '')) void query.runAll(texts);
    },
    cancel: query.cancel,
    convert: capabilities.includes('convertStatement')
      ? () => {
          const text = editor.current?.textToRun();
          if (text?.trim()) setConverted(text);
          if (text === null)
            sayTooLong('the statement at the cursor', 'Select the statement, then convert it.');
        }
      : undefined,
    async format() {
      const problems = (await editor.current?.format()) ?? [];
      if (problems.length === 0) return;
      showToast({ title: 'Not all of the text was formatted', description: problems.join('\n') });
    },
    save: saving.save,
    saveAs: saving.saveAs,
    history: () => workspace.changeTab<QueryTab>(connection.id, tab.id, { showHistory: !tab.showHistory }),
    view: () => results.setView(results.view === 'grid' ? 'json' : 'grid'),
  };
  useQueryCommands(isActive, title, acts, { isRunning: query.running !== null, results });
  // The store's text is never older than the editor's own, so a difference comes from another window. The
  // tab is found by its React key, because its id can change while it is mounted.
  const mount = tab.mount ?? tab.id;
  useEffect(
    () =>
      useWorkspace.subscribe((state) => {
        const now = tabsOf(state, connection.id).list.find((other) => (other.mount ?? other.id) === mount);
        if (now && isQuery(now)) editor.current?.follow(now.text);
      }),
    [connection.id, mount],
  );
  useEffect(() => {
    if (isActive) editor.current?.focus();
  }, [isActive]);

  return (
    <Group orientation="horizontal" className={styles.group}>
      <Panel minSize={260}>
        <Group orientation="vertical" className={styles.group}>
          <Panel defaultSize="40%" minSize={90}>
            <div className={styles.editorPane}>
              <RunBar
                running={query.running}
                hasSelection={hasSelection}
                marked={marked}
                isUnsaved={saving.name === undefined || saving.isChanged}
                limit={limit}
                showsHistory={tab.showHistory}
                acts={acts}
                onLimit={setLimit}
              />
              <CodeEditor
                ref={editor}
                label={title}
                initialText={tab.text}
                placeholder={manifest.editor.placeholder}
                language={language}
                languageName={manifest.editor.language}
                onChange={(text) => workspace.changeTab<QueryTab>(connection.id, tab.id, { text })}
                onSelectionChange={setHasSelection}
                onMark={setMarked}
                onRun={acts.run}
              />
            </div>
          </Panel>
          <Separator className={styles.across} aria-label="Height of the editor" />
          <Panel minSize={80}>
            <Results query={query} results={results} rowWords={manifest.terms.row} />
          </Panel>
        </Group>
      </Panel>
      {tab.showHistory && (
        <>
          <Separator className={styles.beside} aria-label="Width of the history" />
          <Panel defaultSize={280} minSize={180} maxSize="50%">
            <HistoryPanel
              connectionId={connection.id}
              onInsert={(text) => editor.current?.insert(text)}
              onClose={() => workspace.changeTab<QueryTab>(connection.id, tab.id, { showHistory: false })}
            />
          </Panel>
        </>
      )}
      {saving.dialog}
      <ConvertDialog connectionId={connection.id} text={converted} onClose={() => setConverted(null)} />
      <ConfirmRun asking={query.asking} onAnswer={query.answer} />
    </Group>
  );
}

function sayTooLong(what: string, remedy: string): void {
  showToast({ title: `The script is too long to find ${what}`, description: remedy });
}

/** A statement in other languages. `text` is null while the dialog is closed. */
function ConvertDialog(props: { connectionId: string; text: string | null; onClose(): void }) {
  const { connectionId, text } = props;
  const codes = useQuery({
    queryKey: [...queryKeys.editorSchema(connectionId), 'convert', text],
    enabled: text !== null,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => data('convertStatement', connectionId, { text: text ?? '' }, signal),
  });
  return (
    <CodeDialog
      open={text !== null}
      onClose={props.onClose}
      title="The query, converted"
      codes={codes.data ?? []}
      error={codes.error}
    />
  );
}

/** Saves the text of a tab, unless the text is empty. Asks for a name in `saveAs`, or if the tab has no saved query. */
function useSaveQuery(connectionId: string, tab: QueryTab) {
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
