import { useEffect } from 'react';
import { dialogs, useDialogs } from '../data/window/open-dialog.ts';

/**
 * The user may type letters after the palette was opened, but before its field has the focus. This hook adds the letters
 * to the palette's text. Otherwise they would go to the focused element, such as a grid, which would start an edit. The
 * palette's list would stay unfiltered, and Enter would open its first entry.
 */
export function useEarlyKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', keepForPalette, true);
    return () => window.removeEventListener('keydown', keepForPalette, true);
  }, []);
}

function keepForPalette(event: KeyboardEvent): void {
  const { palette, paletteText } = useDialogs.getState();
  if (!palette || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  // A client's question may appear above the palette. It must stay usable by keyboard.
  if (event.target instanceof Element && event.target.closest('[data-palette-field], [role=alertdialog]'))
    return;
  if (event.key.length === 1) dialogs.typeInPalette(paletteText + event.key);
  else if (event.key === 'Backspace') dialogs.typeInPalette(paletteText.slice(0, -1));
  else if (event.key !== 'Enter') return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
