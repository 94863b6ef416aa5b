import { useId, useState } from 'react';
import { api } from '../shared/api.ts';
import type { Token } from '../shared/api-types.ts';
import { Button } from '../shared/button.tsx';
import { Checkbox } from '../shared/checkbox.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { Field } from '../shared/field.tsx';
import { queryClient, useConnections } from '../shared/queries.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { Select } from '../shared/select.tsx';
import { TextField } from '../shared/text-field.tsx';
import styles from './integrations.module.css';
import { ShownToken } from './shown-token.tsx';
import { expiryAfter, lifetimes, permissions } from './token-words.ts';

/** Creates a token, then shows it once. */
export function CreateToken(props: { onClose(): void }) {
  const connections = useConnections().data ?? [];
  const [name, setName] = useState('');
  const [permission, setPermission] = useState<Token['permission']>('readOnly');
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]['value']>('90');
  const [everything, setEverything] = useState(true);
  const [allowed, setAllowed] = useState<string[]>([]);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [created, setCreated] = useState<{ name: string; secret: string } | null>(null);
  const noName = name.trim() === '' ? 'Give the token a name' : undefined;
  const noneChosen = !everything && allowed.length === 0;

  const formId = useId();
  const create = async () => {
    setTried(true);
    if (busy || noName || noneChosen) return;
    setBusy(true);
    setError(null);
    try {
      const { secret } = await api.tokens.create.mutate({
        name: name.trim(),
        permission,
        allowlist: everything ? null : allowed,
        expiresAt: expiryAfter(lifetime, new Date()),
      });
      setCreated({ name: name.trim(), secret });
      void queryClient.invalidateQueries({ queryKey: queryKeys.tokens });
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  // While the token is being created, the dialog must stay open: the answer contains the secret, which is shown only here.
  const close = () => {
    if (!busy) props.onClose();
  };

  if (created) return <ShownToken {...created} onClose={props.onClose} />;
  return (
    <Dialog
      open
      width="small"
      title="New token"
      onClose={close}
      footer={
        <>
          <Button disabled={busy} focusableWhenDisabled onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} disabled={busy} focusableWhenDisabled>
            Create token
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <TextField
          label="Name"
          required
          placeholder="The client that will use the token"
          value={name}
          error={tried ? noName : undefined}
          onValueChange={setName}
        />
        <Field label="Permission" help={permissions.find(({ value }) => value === permission)?.detail}>
          <Select value={permission} options={permissions} onValueChange={setPermission} />
        </Field>
        <Field label="Expires after">
          <Select value={lifetime} options={lifetimes} onValueChange={setLifetime} />
        </Field>
        <fieldset className={styles.connections}>
          <legend>Connections</legend>
          <Checkbox
            label="Every connection, now and later"
            checked={everything}
            onCheckedChange={setEverything}
          />
          {!everything &&
            connections.map((connection) => (
              <Checkbox
                key={connection.id}
                label={connection.name}
                checked={allowed.includes(connection.id)}
                onCheckedChange={(on) =>
                  setAllowed(on ? [...allowed, connection.id] : allowed.filter((id) => id !== connection.id))
                }
              />
            ))}
          {tried && noneChosen && (
            <p role="alert" className={styles.over}>
              Choose at least one connection
            </p>
          )}
        </fieldset>
        {error !== null && <ErrorNote error={error} />}
      </form>
    </Dialog>
  );
}
