import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readFailure } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { reconnectNow } from '../shared/events.ts';
import { TextInput } from '../shared/text-field.tsx';
import { enterWith } from '../shared/window-key.ts';
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
