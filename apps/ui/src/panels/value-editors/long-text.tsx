import { Suspense } from 'react';
import { loadPart } from '../../controls/loading/load-part.ts';
import { Spinner } from '../../controls/loading/spinner.tsx';
import type { ValueFieldProps } from './value-field-props.ts';

const CodeEditor = loadPart(() => import('./code-editor.tsx'));

/**
 * A text with more characters than this is shown in CodeMirror. In a text field, the browser lays out the whole text at
 * each keystroke, which takes half a minute for megabytes.
 */
const longest = 50_000;

export function isLong(text: string): boolean {
  return text.length > longest;
}

/**
 * Whether the text is long or has a carriage return. A text field turns CRLF and CR into LF, so one keystroke would
 * change all these line ends.
 */
export function needsCodeEditor(text: string): boolean {
  return isLong(text) || text.includes('\r');
}

/** A text in CodeMirror, which need not lay out the whole text and keeps carriage returns. */
export function LongText(props: ValueFieldProps) {
  return (
    <Suspense fallback={<Opening />}>
      <CodeEditor {...props} isJson={false} />
    </Suspense>
  );
}

/** Shown until the editor has loaded. */
export function Opening() {
  return (
    <p>
      <Spinner label="Opening" /> Opening the text
    </p>
  );
}
