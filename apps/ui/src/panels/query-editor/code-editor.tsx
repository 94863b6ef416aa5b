import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import type { Manifest } from '@trestle/driver-kit';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import { editorTheme } from '../../controls/code/editor-theme.ts';
import { changeOf } from '../../controls/code/merge-text.ts';
import { isTyping } from '../../controls/keys/is-typing.ts';
import { formatText } from './format-text.ts';
import { isHeldRun } from './held-run.ts';
import { insertStatement } from './insert-statement.ts';
import styles from './query-tab.module.css';
import { type Marked, runMark } from './run-mark.ts';
import { selectedTexts, textsToRun, textToRun } from './text-to-run.ts';

export interface CodeEditorHandle {
  focus(): void;
  /** Replaces the selection with a statement, on lines of its own. */
  insert(text: string): void;
  /** Takes over the text of another window. Replaces only the part that differs. Undo restores that part. */
  follow(text: string): void;
  /** Null if the script is too long to find the statement at the cursor. */
  textToRun(): string | null;
  /** The statements of a selection that has several; otherwise null. */
  selectedTexts(): string[] | null;
  /** Null if the script is too long to find all statements. */
  textsToRun(): string[] | null;
  /** Formats the selected text, or else the whole text. Returns why parts could not be formatted. */
  format(): Promise<string[]>;
}

/**
 * CodeMirror owns its text: `initialText` is read once, and `follow` takes over the text of other windows.
 */
export function CodeEditor(props: {
  label: string;
  initialText: string;
  placeholder: string;
  language: Extension;
  languageName: Manifest['editor']['language'];
  onChange(text: string): void;
  onSelectionChange(hasSelection: boolean): void;
  /**
   * Called when the lines of the statement at the cursor change. Null if the text has fewer than two statements, or if
   * some of it is selected.
   */
  onMark(marked: Marked | null): void;
  onRun(): void;
  ref: Ref<CodeEditorHandle>;
}) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const languageSlot = useRef(new Compartment());
  const labelSlot = useRef(new Compartment());
  const run = useEffectEvent((editor: EditorView) => {
    closeCompletion(editor);
    props.onRun();
    return true;
  });
  const changed = useEffectEvent((text: string) => props.onChange(text));
  const selected = useEffectEvent((has: boolean) => props.onSelectionChange(has));
  const marked = useEffectEvent((mark: Marked | null) => props.onMark(mark));
  const begin = useEffectEvent((parent: HTMLDivElement) => {
    const state = EditorState.create({
      doc: props.initialText,
      selection: { anchor: props.initialText.length },
      extensions: [
        Prec.highest(EditorView.domEventHandlers({ keydown: (event) => isHeldRun(event) })),
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: (editor) => run(editor), preventDefault: true }])),
        extensions(props.placeholder),
        labelSlot.current.of(labelled(props.label)),
        languageSlot.current.of(props.language),
        runMark(props.languageName, (mark) => marked(mark)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
          if (update.selectionSet || update.docChanged) selected(!update.state.selection.main.empty);
        }),
      ],
    });
    return new EditorView({ state, parent });
  });

  useEffect(() => {
    const created = begin(host.current!);
    view.current = created;
    created.focus();
    return () => created.destroy();
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: languageSlot.current.reconfigure(props.language) });
  }, [props.language]);

  useEffect(() => {
    view.current?.dispatch({ effects: labelSlot.current.reconfigure(labelled(props.label)) });
  }, [props.label]);

  useImperativeHandle(props.ref, () => ({
    focus: () => view.current?.focus(),
    insert: (text) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(insertStatement(editor.state, text));
      editor.focus();
    },
    follow: (text) => {
      const editor = view.current;
      if (!editor) return;
      const before = editor.state.doc.toString();
      if (before === text) return;
      editor.dispatch({ changes: changeOf(before, text), annotations: isolateHistory.of('full') });
    },
    textToRun: () => (view.current ? textToRun(view.current.state, props.languageName) : ''),
    selectedTexts: () => (view.current ? selectedTexts(view.current.state, props.languageName) : null),
    textsToRun: () => (view.current ? textsToRun(view.current.state, props.languageName) : []),
    format: () => (view.current ? formatIn(view.current, props.languageName) : Promise.resolve([])),
  }));

  return <div ref={host} className={styles.editor} />;
}

async function formatIn(editor: EditorView, language: Manifest['editor']['language']): Promise<string[]> {
  const { doc, selection } = editor.state;
  const { from, to } = selection.main.empty ? { from: 0, to: doc.length } : selection.main;
  const before = doc.sliceString(from, to);
  const { text, problems } = await formatText(before, language, doc.lineAt(from).number);
  // If the text has changed meanwhile, the formatted text is outdated.
  if (editor.state.doc !== doc) return [];
  if (text !== before) {
    const change = changeOf(before, text);
    editor.dispatch({
      changes: { from: from + change.from, to: from + change.to, insert: change.insert },
      annotations: isolateHistory.of('full'),
    });
  }
  // Loading the formatter takes time. If the focus is in another field by now, it stays in that field.
  if (!isTyping()) editor.focus();
  return problems;
}

function labelled(label: string): Extension {
  return EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' });
}

function extensions(hint: string): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false }),
    highlightSelectionMatches(),
    search({ top: true }),
    placeholder(hint),
    EditorView.lineWrapping,
    // Escape and then Tab leaves the editor. Tab alone indents.
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      indentWithTab,
    ]),
    editorTheme,
  ];
}
