import { useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { focusActiveTab } from '../data/window/tab-focus.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';

/** `over`: in a window too narrow for a sidebar beside the rows, it lies on the rows until it is closed. */
export type SidebarPlace = 'beside' | 'over' | 'hidden';

/** Below 900 px, the sidebar (240 px by default) would take more than a quarter of the width. */
const narrow = '(max-width: 899px)';

/** Whether the sidebar lies on the rows. This is not stored. Only the choice in a wide window is stored. */
const useOver = create(() => ({ isOpen: false }));

export function useSidebarPlace(): SidebarPlace {
  const isNarrow = useSyncExternalStore(watchWidth, isNarrowNow);
  const isHidden = useWorkspace((state) => state.sidebarHidden);
  const isOver = useOver((state) => state.isOpen);
  if (isNarrow) return isOver ? 'over' : 'hidden';
  return isHidden ? 'hidden' : 'beside';
}

export function toggleSidebar(): void {
  if (isNarrowNow()) {
    useOver.setState(({ isOpen }) => ({ isOpen: !isOpen }));
    return;
  }
  // The control with the focus may disappear with the sidebar.
  if (document.activeElement?.closest('main aside')) focusActiveTab();
  workspace.setSidebarHidden(!useWorkspace.getState().sidebarHidden);
}

/** Closes a sidebar that lies on the rows. A sidebar beside the rows stays. */
export function closeSidebarOver(): void {
  useOver.setState({ isOpen: false });
}

function isNarrowNow(): boolean {
  return window.matchMedia(narrow).matches;
}

function watchWidth(onChange: () => void): () => void {
  const width = window.matchMedia(narrow);
  const changed = () => {
    // A window that becomes narrow again must not show the sidebar over its rows.
    closeSidebarOver();
    onChange();
  };
  width.addEventListener('change', changed);
  return () => width.removeEventListener('change', changed);
}
