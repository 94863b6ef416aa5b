import { Suspense } from 'react';
import { loadPart } from '../../controls/loading/load-part.ts';
import { isLong, Opening } from './long-text.tsx';
import { TextArea } from './text-area.tsx';
import type { ValueFieldProps } from './value-field-props.ts';

// CodeMirror is large, so it loads when a field first needs it.
const CodeEditor = loadPart(() => import('./code-editor.tsx'));

/**
 * A JSON editor with colours and a mark at a parse error. Until the editor has loaded, a plain text field is shown, or
 * a spinner for a long text.
 */
export function JsonField(props: ValueFieldProps) {
  return (
    <Suspense fallback={isLong(props.text) ? <Opening /> : <TextArea {...props} />}>
      <CodeEditor {...props} isJson />
    </Suspense>
  );
}
