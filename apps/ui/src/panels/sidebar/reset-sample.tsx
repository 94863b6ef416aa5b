import { api } from '../../data/api/api.ts';
import type { Connection } from '../../data/api/api-types.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { showToast } from '../../data/messages/toast.tsx';

/** Asks the user, then restores the original rows of a sample. */
export function ResetSample(props: { connection: Connection; open: boolean; onDone(): void }) {
  const { connection } = props;
  const reset = async () => {
    await api.samples.reset.mutate({ connectionId: connection.id });
    showToast({ title: `“${connection.name}” has its original rows again` });
    props.onDone();
  };
  return (
    <AlertDialog
      open={props.open}
      title="Restore the sample’s rows?"
      confirm="Restore rows"
      danger
      onConfirm={reset}
      onCancel={props.onDone}
    >
      “{connection.name}” gets its original rows back. Every change to the sample is lost.
    </AlertDialog>
  );
}
