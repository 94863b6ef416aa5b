import { lazy, Suspense, useState } from 'react';
import { useDialogs } from './open-dialog.ts';

// Not needed for the first page; each is loaded when it first opens.
const ConnectionFormDialog = lazy(() => import('../connection-form/connection-form-dialog.tsx'));
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx'));
const ImportDialog = lazy(() => import('../import/import-dialog.tsx'));
const CopyDialog = lazy(() => import('../copy/copy-dialog.tsx'));
const ImportConnections = lazy(() => import('../connection-file/import-connections.tsx'));
const CommandPalette = lazy(() => import('./command-palette.tsx'));

/**
 * The dialogs that any part of the window may open. Once loaded they stay mounted, so that closing is
 * animated.
 */
export function Dialogs() {
  const { connectionForm, palette, shortcuts, importInto, importing, copy } = useDialogs();
  return (
    <Suspense>
      {useOnce(connectionForm !== null) && <ConnectionFormDialog />}
      {useOnce(palette) && <CommandPalette />}
      {useOnce(importInto !== null) && <ImportDialog />}
      {useOnce(copy !== null) && <CopyDialog />}
      {useOnce(importing) && <ImportConnections />}
      {useOnce(shortcuts) && <ShortcutSheet />}
    </Suspense>
  );
}

function useOnce(condition: boolean): boolean {
  const [was, setWas] = useState(condition);
  if (condition && !was) setWas(true);
  return was || condition;
}
