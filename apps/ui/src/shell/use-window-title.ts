import { useEffect } from 'react';
import { useConnections } from '../data/queries/queries.ts';
import { useWorkspace } from '../data/window/workspace-store.ts';
import { usePendingApprovals } from '../panels/approvals/use-pending-approvals.ts';

export function useWindowTitle(): void {
  const current = useWorkspace((state) => state.current);
  const name = useConnections().data?.find(({ id }) => id === current)?.name;
  const waiting = usePendingApprovals().length;
  useEffect(() => {
    const title = name ? `${name} – Trestle` : 'Trestle';
    // The dialog of a client's question may be in a background window. The taskbar still shows the window's title.
    document.title = waiting > 0 ? `(${waiting}) Question – ${title}` : title;
  }, [name, waiting]);
}
