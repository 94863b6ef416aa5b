import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { editorTheme } from '../../controls/code/editor-theme.ts';
import { changeOf } from '../../controls/code/merge-text.ts';
import { jsonLanguage, jsonProblem } from './json-language.ts';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field-props.ts';

/**
 * CodeMirror for one value: JSON, or a text for which `needsCodeEditor` is true. The Tab key leaves the editor, since
 * the editor is part of a form.
 */
export default function CodeEditor(props: ValueFieldProps & { isJson: boolean }) {
  const { text, isInvalid, label } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const said = useRef(new Compartment());
  const changed = useEffectEvent((next: string) => props.onText(next));
  const begin = useEffectEvent((parent: HTMLDivElement) => {
    const state = EditorState.create({
      doc: text,
      selection: { anchor: text.length },
      extensions: [
        history(),
        drawSelection(),
        props.isJson ? json : verbatim,
        hasEndlessLine(text) ? [] : EditorView.lineWrapping,
        keymap.of([...keys, ...historyKeymap]),
        placeholder(props.placeholder ?? ''),
        EditorState.readOnly.of(props.isReadOnly === true),
        editorTheme,
        said.current.of(attributes(label, isInvalid)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    });
    const editor = new EditorView({ state, parent });
    if (props.takesFocus) takeFocus(editor);
    return editor;
  });
  useEffect(() => {
    const editor = begin(host.current!);
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    const before = editor?.state.doc.toString();
    if (editor && before !== undefined && before !== text)
      editor.dispatch({ changes: changeOf(before, text) });
  }, [text]);
  useEffect(() => {
    view.current?.dispatch({ effects: said.current.reconfigure(attributes(label, isInvalid)) });
  }, [label, isInvalid]);
  return <div ref={host} className={styles.code} data-invalid={isInvalid || undefined} data-grid-editor />;
}

/**
 * Takes the focus again for some frames, since this editor is loaded after its popup has opened. In the first
 * frames the popup may still be hidden, or the popup's own code may give the focus to a button.
 */
function takeFocus(editor: EditorView, frames = 10): void {
  editor.focus();
  if (frames > 0) requestAnimationFrame(() => editor.dom.isConnected && takeFocus(editor, frames - 1));
}

/** Ctrl+Enter sets the value and must not insert a line first. */
const keys = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

const json = [
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  keymap.of(closeBracketsKeymap),
  jsonLanguage,
  linter((editor) => marksOf(editor.state.doc.toString()), { delay: 200 }),
];

/** A carriage return stays a character, so that untouched lines are saved unchanged. */
const verbatim = EditorState.lineSeparator.of('\n');

function attributes(label: string, isInvalid: boolean) {
  return EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-invalid': String(isInvalid),
    spellcheck: 'false',
  });
}

/**
 * A text is not wrapped if one of its lines has more characters than this. Wrapping lays out the whole line, which
 * takes a minute for five megabytes. Without wrapping, only the visible part is laid out.
 */
const endless = 20_000;

function hasEndlessLine(text: string): boolean {
  for (let from = 0; text.length - from > endless; ) {
    const end = text.indexOf('\n', from);
    if (end < 0 || end - from > endless) return true;
    from = end + 1;
  }
  return false;
}

/** An empty text has no character to mark. If it is invalid, the whole field is marked. */
function marksOf(text: string): Diagnostic[] {
  const problem = text.trim() === '' ? null : jsonProblem(text);
  if (!problem) return [];
  const from = Math.min(problem.at, Math.max(0, text.length - 1));
  return [{ from, to: Math.min(text.length, from + 1), severity: 'error', message: problem.message }];
}
