import { findSuggestion, type Manifest, type Suggestion } from '@trestle/driver-kit';
import { flushSync } from 'react-dom';
import { Button } from '../../controls/buttons/button.tsx';
import { Note } from '../../data/messages/error-note.tsx';
import { plainValues } from './form-values.ts';
import type { useConnectionForm } from './use-connection-form.ts';

/** Shows the values that the manifest suggests, for example if the host has a known ending. One click accepts them. */
export function SuggestionNote(props: {
  manifest: Manifest;
  form: ReturnType<typeof useConnectionForm>;
  /** Called after the user accepts the values. The button has disappeared, so the focus must move elsewhere. */
  onTaken(): void;
}) {
  const { manifest, form } = props;
  const suggestion = findSuggestion(manifest, plainValues(form.values));
  if (!suggestion) return null;
  return (
    <Note
      level="info"
      actions={
        <Button
          size="small"
          onClick={() => {
            // Updates the form synchronously. Otherwise the dialog would notice that the button with the focus is
            // gone, and take the focus itself.
            flushSync(() => form.fill(suggestion.set));
            props.onTaken();
          }}
        >
          Use these
        </Button>
      }
    >
      <p>{suggestion.note}</p>
      <p>{suggestionText(manifest, suggestion)}</p>
    </Note>
  );
}

/** The suggested values with the labels of the form, such as `Port 443, SSL Mode Required`. */
function suggestionText(manifest: Manifest, { set }: Suggestion): string {
  return Object.entries(set)
    .map(([id, value]) => {
      const field = manifest.fields.find((candidate) => candidate.id === id);
      const choices = field?.type === 'choice' ? field.choices : [];
      const shown = choices.find((choice) => choice.value === value)?.label ?? String(value);
      return `${field?.label ?? id} ${shown}`;
    })
    .join(', ');
}
