import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextField } from '../../controls/fields/text-field.tsx';
import { api, toApiError } from '../../data/api/api.ts';
import { useJob } from '../../data/jobs/use-jobs.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import { useConnections, useManifest, useTables } from '../../data/queries/queries.ts';
import { type CopySource, dialogs, useDialogs } from '../../data/window/open-dialog.ts';
import styles from './copy.module.css';
import { CopyOutcome } from './copy-outcome.tsx';
import { freeName, tableName } from './copy-words.ts';

/** Starts a copy of a table, or shows a copy that was started. */
export default function CopyDialog() {
  const target = useDialogs((state) => state.copy);
  if (!target) return null;
  return 'copyId' in target ? (
    <Copying key={target.copyId} id={target.copyId} />
  ) : (
    <NewCopy key={`${target.connectionId} ${target.table}`} source={target} />
  );
}

/** Chooses the target of the copy. */
function NewCopy({ source }: { source: CopySource }) {
  const connections = useConnections().data ?? [];
  const own = connections.find(({ id }) => id === source.connectionId);
  const manifest = useManifest(own?.driver);
  const [to, setTo] = useState(source.connectionId);
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const tables = useTables(to).data?.map(({ name }) => name) ?? [];
  const sameKind = connections.filter(({ driver }) => driver === own?.driver);
  const suggested = to === source.connectionId ? freeName(source.table, tables) : source.table;
  const text = typed ?? suggested;
  const name = text.trim();
  const isTaken = tables.some((other) => other.toLowerCase() === name.toLowerCase());
  const isLocked = connections.find(({ id }) => id === to)?.safeMode === 'readOnly';
  const [singular] = manifest?.terms.table ?? ['table'];
  const begin = async () => {
    setBusy(true);
    setError(null);
    try {
      const { id } = await api.copies.begin.mutate({
        from: source,
        to: { connectionId: to, table: name },
        goOn: false,
      });
      dialogs.showCopy(id);
    } catch (failure) {
      setError(toApiError(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      width="small"
      title={`Copy ${source.table}`}
      description={`Copies the definition of the ${singular} and its rows with all their values. At the end, Trestle counts the rows of the copy and compares a sample of them.`}
      onClose={dialogs.closeCopy}
      outcome={error !== null && <ErrorNote error={error} />}
      footer={
        <>
          <Button onClick={dialogs.closeCopy}>Cancel</Button>
          <Button
            variant="primary"
            disabled={isBusy || isTaken || isLocked || name === ''}
            focusableWhenDisabled
            onClick={() => void begin()}
          >
            Copy
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field
          label="Connection"
          error={isLocked ? 'The Safe Mode of this connection is read only.' : undefined}
        >
          <Select
            value={to}
            options={sameKind.map(({ id, name: label, word, safeMode }) => ({
              value: id,
              label,
              ...(word && { detail: word }),
              ...(safeMode === 'readOnly' && { detail: 'Safe Mode: read only', disabled: true }),
            }))}
            onValueChange={setTo}
          />
        </Field>
        <TextField
          label="Name"
          value={text}
          error={isTaken ? 'This name is taken.' : undefined}
          onValueChange={setTyped}
        />
      </div>
    </Dialog>
  );
}

function Copying({ id }: { id: string }) {
  const { job, error } = useJob('copy', id);
  const connections = useConnections().data ?? [];
  const [isBusy, setBusy] = useState(false);
  if (!job && !error) return null;
  const { from, to } = job?.detail ?? {};
  const isRunning = job?.outcome === null;
  const canGoOn = job?.outcome?.canContinue === true;
  const goOn = async () => {
    if (!from || !to) return;
    setBusy(true);
    try {
      const begun = await api.copies.begin.mutate({ from, to, goOn: true });
      dialogs.showCopy(begun.id);
    } catch (failure) {
      showToast({ title: toApiError(failure).message });
    }
    setBusy(false);
  };
  const dismiss = () => {
    dialogs.closeCopy();
    void api.jobs.forget.mutate({ id }).catch(() => {});
  };
  return (
    <Dialog
      open
      width="medium"
      title={from && to ? `Copy ${from.table} to ${tableName(to, from.connectionId, connections)}` : 'Copy'}
      {...(isRunning && {
        description: 'The copy continues when you close this dialog. Jobs shows its progress.',
      })}
      onClose={dialogs.closeCopy}
      footer={
        <>
          {isRunning && (
            <>
              <Button variant="quiet" onClick={() => dialogs.showJobs(true)}>
                Jobs
              </Button>
              <Button onClick={() => void api.jobs.cancel.mutate({ id })}>Cancel copy</Button>
            </>
          )}
          {canGoOn && <Button onClick={dismiss}>Dismiss</Button>}
          {canGoOn ? (
            <Button variant="primary" disabled={isBusy} focusableWhenDisabled onClick={() => void goOn()}>
              Continue
            </Button>
          ) : (
            <Button variant={isRunning ? 'primary' : undefined} onClick={dialogs.closeCopy}>
              Close
            </Button>
          )}
        </>
      }
    >
      {job ? <CopyOutcome job={job} /> : <ErrorNote error={error} />}
    </Dialog>
  );
}
