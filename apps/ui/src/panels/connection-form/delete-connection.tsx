import { api } from '../../data/api/api.ts';
import type { Connection } from '../../data/api/api-types.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { workspace } from '../../data/window/workspace-store.ts';

/** Asks, then deletes the connection. The database itself is not changed. */
export function DeleteConnection(props: { connection: Connection | null; onDone(deleted: boolean): void }) {
  const { connection } = props;
  const remove = async () => {
    if (!connection) return;
    await api.connections.remove.mutate(connection.id);
    workspace.closeConnection(connection.id);
    await queryClient.invalidateQueries({ queryKey: queryKeys.connections });
    props.onDone(true);
  };
  return (
    <AlertDialog
      open={connection !== null}
      title={`Delete the connection “${connection?.name ?? ''}”?`}
      connection={connection ?? undefined}
      confirm="Delete connection"
      danger
      onConfirm={remove}
      onCancel={() => props.onDone(false)}
    >
      Its settings, stored secrets, tabs, unsaved edits, saved queries and history are removed from Trestle.
      The database itself is not touched.
    </AlertDialog>
  );
}
