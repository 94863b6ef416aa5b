import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { Dialog } from '../controls/dialogs/dialog.tsx';
import { TextField } from '../controls/fields/text-field.tsx';
import { api } from '../data/api/api.ts';
import { usePassphraseRequest } from '../data/api/passphrase-request.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';

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
