import { lazy, Suspense } from 'react';
import { Spinner } from '../shared/spinner.tsx';
import type { ValueFieldProps } from './value-field-props.ts';

const CodeEditor = lazy(() => import('./code-editor.tsx'));

/** A browser lays out the whole text of a field at each keystroke. For a text of megabytes that takes half a minute. */
const longest = 50_000;

export function isLong(text: string): boolean {
  return text.length > longest;
}

/** A long text. The editor draws only the visible lines. */
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
      <Spinner label="Opening" /> Opening a long text
    </p>
  );
}
