import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { editorTheme } from '../query-editor/editor-theme.ts';
import { changeOf } from '../workspace/merge-text.ts';
import { jsonLanguage, jsonProblem } from './json-language.ts';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field.tsx';

/** CodeMirror for one JSON value. Tab leaves it, since it stands in a form. */
export default function JsonEditor(props: ValueFieldProps) {
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
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        EditorView.lineWrapping,
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
        placeholder(props.placeholder ?? ''),
        EditorState.readOnly.of(props.isReadOnly === true),
        jsonLanguage,
        linter((editor) => marksOf(editor.state.doc.toString()), { delay: 200 }),
        editorTheme,
        said.current.of(attributes(label, isInvalid)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    });
    const editor = new EditorView({ state, parent });
    if (props.takesFocus) editor.focus();
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

function attributes(label: string, isInvalid: boolean) {
  return EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-invalid': String(isInvalid),
    spellcheck: 'false',
  });
}

/** An empty field is NULL or left as it was: nothing to mark. */
function marksOf(text: string): Diagnostic[] {
  const problem = text.trim() === '' ? null : jsonProblem(text);
  if (!problem) return [];
  const from = Math.min(problem.at, Math.max(0, text.length - 1));
  return [{ from, to: Math.min(text.length, from + 1), severity: 'error', message: problem.message }];
}
