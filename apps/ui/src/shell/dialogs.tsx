import { lazy, Suspense, useEffect, useState } from 'react';
import { useEarlyKeys } from './early-keys.ts';
import { useDialogs } from './open-dialog.ts';

// The first page needs no dialog. Each dialog is loaded when it first opens, the palette perhaps earlier (see below).
const ConnectionFormDialog = lazy(() => import('../connection-form/connection-form-dialog.tsx'));
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx'));
const ImportDialog = lazy(() => import('../import/import-dialog.tsx'));
const CopyDialog = lazy(() => import('../copy/copy-dialog.tsx'));
const ImportConnections = lazy(() => import('../connection-file/import-connections.tsx'));
const loadPalette = () => import('./command-palette.tsx');
const CommandPalette = lazy(loadPalette);

/**
 * The dialogs that any part of the window may open. Once loaded they stay mounted, so that closing is
 * animated.
 */
export function Dialogs() {
  const { connectionForm, palette, shortcuts, importInto, importing, copy } = useDialogs();
  useEarlyKeys();
  // The palette loads before its first use, but after the first page.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), 1500);
    return () => clearTimeout(timer);
  }, []);
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

/** True from the first time that `condition` is true. */
function useOnce(condition: boolean): boolean {
  const [was, setWas] = useState(condition);
  if (condition && !was) setWas(true);
  return was || condition;
}
