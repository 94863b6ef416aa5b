import { type ComponentType, useEffect, useState } from 'react';
import { showToast } from '../data/messages/toast.tsx';
import { dialogs, useDialogs } from '../data/window/open-dialog.ts';
import { useEarlyKeys } from './early-keys.ts';

type Load = () => Promise<{ default: ComponentType }>;

// The first page needs no dialog, so a dialog is loaded when it first opens. The palette may load earlier (see below).
const loadConnectionForm: Load = () => import('../panels/connection-form/connection-form-dialog.tsx');
const loadShortcuts: Load = () => import('./shortcut-sheet.tsx');
const loadImport: Load = () => import('../panels/import/import-dialog.tsx');
const loadCopy: Load = () => import('../panels/copy/copy-dialog.tsx');
const loadJobs: Load = () => import('../panels/jobs/jobs-dialog.tsx');
const loadImportConnections: Load = () => import('../panels/connection-file/import-connections.tsx');
const loadPalette: Load = () => import('./command-palette.tsx');
const loadQuit: Load = () => import('./quit-dialog.tsx');

/** The dialogs that any part of the window may open. */
export function Dialogs() {
  const { connectionForm, palette, shortcuts, importInto, importing, copy, jobs, quit } = useDialogs();
  useEarlyKeys();
  // The palette usually loads before its first use, but after the first page.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), 1500);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <OnDemand open={connectionForm !== null} load={loadConnectionForm} close={dialogs.closeForm} />
      <OnDemand open={palette} load={loadPalette} close={() => dialogs.showPalette(false)} />
      <OnDemand open={importInto !== null} load={loadImport} close={dialogs.closeImport} />
      <OnDemand open={copy !== null} load={loadCopy} close={dialogs.closeCopy} />
      <OnDemand
        open={importing}
        load={loadImportConnections}
        close={() => dialogs.importConnections(false)}
      />
      <OnDemand open={jobs} load={loadJobs} close={() => dialogs.showJobs(false)} />
      <OnDemand open={shortcuts} load={loadShortcuts} close={() => dialogs.showShortcuts(false)} />
      <OnDemand open={quit} load={loadQuit} close={() => dialogs.askToQuit(false)} />
    </>
  );
}

/**
 * A dialog that is loaded when it first opens. Once loaded it stays mounted, so that closing is animated. If the app
 * does not answer, loading fails, and the next opening tries again. React's `lazy` would keep the failure.
 */
function OnDemand({ open, load, close }: { open: boolean; load: Load; close(): void }) {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening loads once
  useEffect(() => {
    if (!open || Loaded) return;
    load().then(
      (module) => setLoaded(() => module.default),
      () => {
        close();
        showToast({
          level: 'error',
          title: 'The dialog could not be loaded',
          description: 'Open it again when this window is connected to Trestle.',
        });
      },
    );
  }, [open]);
  return Loaded && <Loaded />;
}
