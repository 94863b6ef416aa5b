import type { RefObject } from 'react';
import { TextField } from '../../controls/fields/text-field.tsx';
import { toApiError } from '../../data/api/api.ts';
import { Note } from '../../data/messages/error-note.tsx';

/**
 * Says what Allow needs in a window that a printed link opened: a program could have opened it. Shows the field for the
 * passphrase, or how to set one.
 */
export function AllowMeans(props: {
  allowing: 'passphrase' | 'impossible';
  passphrase: string;
  error: unknown;
  field: RefObject<HTMLInputElement | null>;
  onChange(passphrase: string): void;
}) {
  if (props.allowing === 'impossible') {
    return (
      <Note level="info">
        <p>
          You cannot allow this here yet: a program could have opened this window. Set an administrator
          passphrase at a terminal with <code>trestle passphrase set</code>, then type it here. The window
          that Trestle opens itself needs none.
        </p>
      </Note>
    );
  }
  const error = props.error ? toApiError(props.error) : null;
  return (
    <TextField
      ref={props.field}
      label="Administrator passphrase"
      type="password"
      help="Needed to allow, since a program could have opened this window. Asked once for each printed link or code."
      {...(error && { error: [error.message, error.hint].filter(Boolean).join('. ') })}
      value={props.passphrase}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}
