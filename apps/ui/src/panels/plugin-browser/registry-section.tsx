import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { TextField } from '../../controls/fields/text-field.tsx';
import { Facts } from '../../controls/marks/facts.tsx';
import { momentWords } from '../../controls/text/date-words.ts';
import { ApiError, api } from '../../data/api/api.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import styles from './plugin-browser.module.css';
import { useReadRegistry, useRegistry } from './use-plugins.ts';

/** The registry: its address, the state of its index, and a field to change the address. */
export function RegistrySection() {
  const registry = useRegistry();
  const [address, setAddress] = useState('');
  const refresh = useReadRegistry();
  const use = useMutation({
    mutationFn: (next: string | null) => api.plugins.useRegistry.mutate(next),
    onSuccess: () => {
      setAddress('');
      refresh.mutate();
    },
  });
  const confirm = useMutation({
    mutationFn: async (fingerprint: string) => {
      await api.plugins.confirmRegistry.mutate(fingerprint);
      await api.plugins.refresh.mutate({ force: true });
    },
  });
  if (!registry.data) return registry.error ? <ErrorNote error={registry.error} /> : null;
  const { name, origin, fetchedAt, problem, unconfirmed } = registry.data;
  return (
    <>
      <Facts>
        <dt>Address</dt>
        <dd className={styles.address}>{registry.data.address ?? 'None'}</dd>
        {name && (
          <>
            <dt>Name</dt>
            <dd>{name}</dd>
          </>
        )}
        <dt>Read</dt>
        <dd>{fetchedAt ? momentWords(new Date(fetchedAt)) : 'Never'}</dd>
      </Facts>
      {unconfirmed && (
        <Note
          level="warning"
          actions={
            <Button size="small" onClick={() => confirm.mutate(unconfirmed)}>
              Trust this key
            </Button>
          }
        >
          <p>
            {fetchedAt
              ? 'This registry is signed by another key than before:'
              : 'Trestle does not know the key of this registry yet:'}
          </p>
          <p className={styles.address}>{unconfirmed}</p>
          <p>
            Compare this key with the key that the registry’s owner gives. Drivers from this registry get the
            secrets of your connections.
          </p>
        </Note>
      )}
      {confirm.error && confirm.variables === unconfirmed && <ErrorNote error={confirm.error} />}
      {problem && !unconfirmed && <ErrorNote error={new ApiError(problem)} />}
      {use.error && <ErrorNote error={use.error} />}
      <div className={styles.registryActs}>
        <Button
          onClick={() => refresh.mutate()}
          disabled={refresh.isPending || registry.data.address === null}
          focusableWhenDisabled
        >
          {refresh.isPending ? 'Reading …' : 'Read again'}
        </Button>
        {origin === 'settings' && (
          <Button onClick={() => use.mutate(null)}>Use Trestle’s own registry</Button>
        )}
      </div>
      {origin === 'environment' ? (
        <Note level="info">TRESTLE_REGISTRY names the registry of this run.</Note>
      ) : (
        <form
          className={styles.another}
          onSubmit={(event) => {
            event.preventDefault();
            use.mutate(address);
          }}
        >
          <TextField
            label="Another registry"
            value={address}
            placeholder="https://drivers.example.com/"
            onValueChange={setAddress}
          />
          <Button type="submit" disabled={address.trim() === '' || use.isPending}>
            Use
          </Button>
        </form>
      )}
    </>
  );
}
