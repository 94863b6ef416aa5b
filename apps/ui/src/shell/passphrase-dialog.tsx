import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { api } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { usePassphraseRequest } from '../shared/passphrase-request.ts';
import { TextField } from '../shared/text-field.tsx';

/**
 * Shown when a call needs the administrator passphrase. The app asks in a window that was opened by a printed link or
 * code, because a program could have used that link or code too.
 */
export function PassphraseDialog() {
  const { request } = usePassphraseRequest();
  return request && <PassphraseForm reason={request.reason} settle={request.settle} />;
}

function PassphraseForm({ reason, settle }: { reason: string; settle(isUnlocked: boolean): void }) {
  const [passphrase, setPassphrase] = useState('');
  const form = useId();
  const unlock = useMutation({
    mutationFn: () => api.app.unlock.mutate({ passphrase }),
    onSuccess: () => settle(true),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    unlock.mutate();
  };
  return (
    <Dialog
      open
      width="small"
      // An answer to a client's question may need the passphrase. The dialog of that question is then still open.
      layer="top"
      title="Administrator passphrase"
      description={`${reason}.`}
      onClose={() => settle(false)}
      outcome={unlock.error && <ErrorNote error={unlock.error} />}
      footer={
        <>
          <Button onClick={() => settle(false)}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} disabled={unlock.isPending}>
            Continue
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          label="Passphrase"
          type="password"
          help="Asked once for each printed link or code."
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
