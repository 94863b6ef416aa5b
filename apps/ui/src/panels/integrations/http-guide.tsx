import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextField } from '../../controls/fields/text-field.tsx';
import { api } from '../../data/api/api.ts';
import type { ConnectGuide, LastCall, Token } from '../../data/api/api-types.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { ArrivalLine } from './arrival-line.tsx';
import styles from './connect.module.css';
import { GuideSteps } from './guide-steps.tsx';
import { permissions } from './token-words.ts';
import { withToken } from './with-token.ts';

/** For a client that cannot start a program. Its token is created here. */
export function HttpGuide(props: { guide: ConnectGuide | null; call?: LastCall | null }) {
  const [name, setName] = useState('HTTP client');
  const [permission, setPermission] = useState<Token['permission']>('readOnly');
  const mint = useMutation({
    mutationFn: () =>
      api.clientSetup.http.mutate({ name: name.trim(), permission, allowlist: null, expiresAt: null }),
  });
  // `props.guide` is null while the server is not running.
  const guide = props.guide && (mint.data ? withToken(props.guide, mint.data.secret) : props.guide);
  return (
    <article className={styles.guide}>
      <h2>Another client, over HTTP</h2>
      <ArrivalLine name="a client with a token" isOn={props.guide !== null} call={props.call} />
      <form
        className={styles.mint}
        onSubmit={(event) => {
          event.preventDefault();
          mint.mutate();
        }}
      >
        <TextField label="Name of the token" value={name} onValueChange={setName} />
        <Field label="Permission">
          <Select value={permission} options={permissions} onValueChange={setPermission} />
        </Field>
        <Button type="submit" disabled={!guide || mint.isPending || name.trim() === ''} focusableWhenDisabled>
          Make a token
        </Button>
      </form>
      {guide && mint.data && (
        <Note level="warning">
          The token “{mint.data.token.name}” is in the configuration below. It is not shown again.
        </Note>
      )}
      {mint.error && <ErrorNote error={mint.error} />}
      {guide && <GuideSteps {...guide} />}
    </article>
  );
}
