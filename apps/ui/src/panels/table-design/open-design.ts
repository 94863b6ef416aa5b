import type { Design } from '@trestle/driver-kit';
import { openTab, type Tab } from '../../data/window/workspace-state.ts';
import { newId, workspace } from '../../data/window/workspace-store.ts';

export interface DesignTab extends Tab {
  kind: 'design';
  design: Design;
  /** A file whose rows are imported when the table is made. The app has the file. */
  file?: { id: string; name: string };
}

export const emptyDesign: Design = { name: '', fields: {}, parts: {} };

export function openDesign(connectionId: string, design = emptyDesign): void {
  const tab: DesignTab = { id: newId(), kind: 'design', design };
  workspace.apply((state) => openTab(state, connectionId, tab));
}
