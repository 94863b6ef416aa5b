import { useId, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextField } from '../../controls/fields/text-field.tsx';
import { isSecondClick } from '../../controls/keys/is-second-click.ts';
import { classNames } from '../../controls/styles/class-names.ts';
import code from '../../controls/styles/code-block.module.css';
import { api } from '../../data/api/api.ts';
import type { Token } from '../../data/api/api-types.ts';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { queryClient, useConnections } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import styles from './integrations.module.css';
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

function ShownToken(props: { name: string; secret: string; onClose(): void }) {
  return (
    <Dialog
      open
      width="small"
      title={`Token “${props.name}”`}
      onClose={props.onClose}
      footer={
        // Done is where Create token was. The second click of a double click on Create token must not hide the token.
        <Button variant="primary" onClick={(event) => !isSecondClick(event) && props.onClose()}>
          Done
        </Button>
      }
    >
      <div className={styles.form}>
        <Note level="warning">Copy the token now. It is not shown again.</Note>
        <output className={classNames(code.block, styles.secret)}>{props.secret}</output>
        <div>
          <CopyButton text={props.secret} what="token" />
        </div>
      </div>
    </Dialog>
  );
}
