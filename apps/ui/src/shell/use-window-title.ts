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
    // If the window is in the background, the user does not see the question's dialog, but the title in the taskbar.
    document.title = waiting > 0 ? `(${waiting}) Question – ${title}` : title;
  }, [name, waiting]);
}
