import { useMutation } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { counted } from '../../controls/text/counted.ts';
import { api } from '../../data/api/api.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { dialogs, useDialogs } from '../../data/window/open-dialog.ts';
import styles from './import-connections.module.css';

interface ChosenFile {
  name: string;
  text: string;
}

/**
 * Shows the changes that an import would make, before the user starts it. If the import would let clients do more on an
 * existing connection, the user must confirm this change too.
 */
export default function ImportConnections() {
  const open = useDialogs((state) => state.importing);
  const input = useRef<HTMLInputElement>(null);
  const [allowed, setAllowed] = useState(false);
  const plan = useMutation({
    mutationFn: async (chosen: File) => {
      const file = { name: chosen.name, text: await chosen.text() };
      return { file, connections: await api.connections.importFile.mutate({ ...file, dryRun: true }) };
    },
  });
  const planned = plan.data?.connections;
  const run = useMutation({
    mutationFn: (chosen: ChosenFile) => api.connections.importFile.mutate({ ...chosen, dryRun: false }),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.connections });
      const count = saved.filter(({ outcome }) => outcome !== 'unchanged').length;
      showToast({ title: `Imported ${counted(count, 'connection')}` });
      close();
    },
  });
  const close = () => {
    dialogs.importConnections(false);
    setAllowed(false);
    plan.reset();
    run.reset();
  };
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    setAllowed(false);
    run.reset();
    plan.mutate(chosen);
  };
  const raises = planned?.some((one) => one.raises.length > 0) ?? false;
  const changes = planned?.filter(({ outcome }) => outcome !== 'unchanged').length ?? 0;
  const error = plan.error ?? run.error;
  return (
    <Dialog
      open={open}
      title="Import connections"
      description="A file that Trestle exported. It holds no secrets: they are entered afterwards."
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="primary"
            disabled={changes === 0 || (raises && !allowed) || run.isPending}
            focusableWhenDisabled
            onClick={() => plan.data && run.mutate(plan.data.file)}
          >
            {changes > 0 ? `Import ${counted(changes, 'connection')}` : 'Import'}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <Button icon={<FileUp size={14} aria-hidden />} onClick={() => input.current?.click()}>
          {plan.variables ? 'Choose another file' : 'Choose a file'}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json,application/json"
          aria-label="File with connections"
          onChange={(event) => {
            choose(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        {plan.variables && <p className={styles.name}>{plan.variables.name}</p>}
        {planned && (
          <ul aria-label="What changes" className={styles.list}>
            {planned.map(({ name, outcome, changes: lines, droppedSecrets }) => (
              <li key={name}>
                <span className={styles.connection}>{name}</span>
                <span className={styles.outcome}>{outcomes[outcome]}</span>
                {lines.map((line) => (
                  <p key={line}>{line}</p>
                ))}
                {droppedSecrets.map((label) => (
                  <p key={label} className={styles.dropped}>
                    {label} is dropped, because the driver or a field changes. Enter it again.
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )}
        {raises && (
          <Note level="warning">
            <Checkbox
              label="Let AI clients do more than before on these connections"
              checked={allowed}
              onCheckedChange={(next) => setAllowed(next === true)}
            />
          </Note>
        )}
        {error && <ErrorNote error={error} />}
      </div>
    </Dialog>
  );
}

const outcomes = { created: 'New', replaced: 'Replaces the one that is there', unchanged: 'Unchanged' };
