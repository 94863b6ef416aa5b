import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { TextInput } from '../controls/fields/text-field.tsx';
import { readFailure } from '../data/api/api.ts';
import { enterWith } from '../data/api/window-key.ts';
import { reconnectNow } from '../data/events/events.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';
import styles from './code-form.module.css';

/** Admits a page that the app does not know, by a code that the command `trestle` prints. */
export function CodeForm() {
  const [code, setCode] = useState('');
  const enter = useMutation({
    mutationFn: async () => {
      const refusal = await enterWith(code);
      if (refusal) throw await readFailure(refusal);
      reconnectNow();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') enter.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        aria-label="One-time code"
        placeholder="One-time code"
        maxLength={30}
        className={styles.code}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" variant="primary" disabled={enter.isPending}>
        Open
      </Button>
      {enter.error && <ErrorNote error={enter.error} className={styles.error} />}
    </form>
  );
}
