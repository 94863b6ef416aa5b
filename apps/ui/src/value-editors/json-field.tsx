import { lazy, Suspense } from 'react';
import { isLong, Opening } from './long-text.tsx';
import { TextArea } from './text-area.tsx';
import type { ValueFieldProps } from './value-field-props.ts';

// The editor is half of the query tab's code. It loads when JSON is edited for the first time.
const CodeEditor = lazy(() => import('./code-editor.tsx'));

/**
 * JSON with colours and marks where it does not parse. Until the editor has loaded, a plain text field is shown, or a
 * spinner for a long text.
 */
export function JsonField(props: ValueFieldProps) {
  return (
    <Suspense fallback={isLong(props.text) ? <Opening /> : <TextArea {...props} />}>
      <CodeEditor {...props} isJson />
    </Suspense>
  );
}
