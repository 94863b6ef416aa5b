import { lazy, Suspense } from 'react';
import { Spinner } from '../shared/spinner.tsx';
import type { ValueFieldProps } from './value-field.tsx';

const CodeEditor = lazy(() => import('./code-editor.tsx'));

/** A browser lays out the whole text of a field at each key: with megabytes that takes half a minute. */
const longest = 50_000;

export function isLong(text: string): boolean {
  return text.length > longest;
}

/** A text of megabytes: the editor draws the lines in view alone. */
export function LongText(props: ValueFieldProps) {
  return (
    <Suspense fallback={<Opening />}>
      <CodeEditor {...props} isJson={false} />
    </Suspense>
  );
}

/** Stands in until the editor is there. */
export function Opening() {
  return (
    <p>
      <Spinner label="Opening" /> Opening a long text
    </p>
  );
}
