import { parseCell } from '@trestle/driver-kit';
import { Suspense, useState } from 'react';
import { Segments } from '../../controls/buttons/segments.tsx';
import { loadPart } from '../../controls/loading/load-part.ts';
import { DateField } from './date-field.tsx';
import { editText } from './edit-text.ts';
import { isLong, LongText, needsCodeEditor, Opening } from './long-text.tsx';
import { TagField } from './tag-field.tsx';
import { tagsIn } from './tag-list.ts';
import { TextArea } from './text-area.tsx';
import styles from './value-editors.module.css';
import type { ValueFieldProps } from './value-field-props.ts';

/** The field for a value, with the controls for its type. Unless it is read-only, the user can also type the text. */
export function ValueField(props: ValueFieldProps) {
  const { text, onText, type } = props;
  if (props.picker && !props.isReadOnly) {
    const whole = parseCell(text.trim() === '' ? 'null' : text, 'json');
    return (
      <>
        {props.picker(whole.ok ? whole.cell : undefined, (next) => onText(editText(next)))}
        <TextArea {...props} takesFocus={false} />
      </>
    );
  }
  if (type === 'date') return <DateField {...props} />;
  if (type === 'json') return <ListOrJson {...props} />;
  return <PlainField {...props} />;
}

function PlainField(props: ValueFieldProps) {
  // Decided once: the field under the cursor must not be replaced while the user types.
  const [inCodeEditor] = useState(() => needsCodeEditor(props.text));
  return inCodeEditor ? <LongText {...props} /> : <TextArea {...props} />;
}

/** A flat list is edited entry by entry, or as JSON like other JSON values. */
function ListOrJson(props: ValueFieldProps) {
  const [asJson, setAsJson] = useState(false);
  // Decided once: the editor under the cursor must not be replaced when the user types a list as JSON.
  const [isList] = useState(() => tagsIn(props.text, props.nativeType) !== null);
  // A list whose last entry is removed is still a list.
  const tags = tagsIn(props.text, props.nativeType, { wasList: isList });
  if (!isList) return <JsonField {...props} />;
  return (
    <div className={styles.list}>
      <Segments
        label="Form of the list"
        value={tags && !asJson ? 'list' : 'json'}
        options={[
          { value: 'list', label: 'List' },
          { value: 'json', label: 'JSON' },
        ]}
        onValueChange={(form) => setAsJson(form === 'json')}
      />
      {tags && !asJson ? (
        <TagField {...props} tags={tags} />
      ) : (
        <JsonField
          {...props}
          onText={(text) => {
            setAsJson(true);
            props.onText(text);
          }}
        />
      )}
    </div>
  );
}

// CodeMirror is large, so it loads when a field first needs it.
const CodeEditor = loadPart(() => import('./code-editor.tsx'));

/**
 * A JSON editor with colours and a mark at a parse error. Until the editor has loaded, a plain text field is shown, or
 * a spinner for a long text.
 */
function JsonField(props: ValueFieldProps) {
  return (
    <Suspense fallback={isLong(props.text) ? <Opening /> : <TextArea {...props} />}>
      <CodeEditor {...props} isJson />
    </Suspense>
  );
}
