import { useEffect } from 'react';
import { usePendingApprovals } from '../approvals/use-pending-approvals.ts';
import { useConnections } from '../shared/queries.ts';
import { useWorkspace } from '../workspace/workspace-store.ts';

export function useWindowTitle(): void {
  const current = useWorkspace((state) => state.current);
  const name = useConnections().data?.find(({ id }) => id === current)?.name;
  const waiting = usePendingApprovals().length;
  useEffect(() => {
    const title = name ? `${name} – Trestle` : 'Trestle';
    // The user does not see the dialog of a window in the background, but sees its title in the taskbar.
    document.title = waiting > 0 ? `(${waiting}) Question – ${title}` : title;
  }, [name, waiting]);
}
