import { useEffect, useRef } from 'react';
import { isDialogOpen } from '../controls/dialogs/is-dialog-open.ts';
import { typedLetter } from '../controls/keys/typed-letter.ts';
import { typesCharacter } from '../controls/keys/types-character.ts';

export interface TableShortcuts {
  find(): void;
  filter(): void;
  reload(): void;
  save(): void;
  search(): void;
  inspector(): void;
  structure(): void;
  undo(): void;
  redo(): void;
}

/** The shortcuts of the tab in front. The focus may be elsewhere. While a dialog is open, the shortcuts do nothing. */
export function useShortcuts(active: boolean, shortcuts: TableShortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const name = typesCharacter(event) ? null : shortcutOf(event);
      // In a text field, undo and redo belong to the text.
      if (!name || ((name === 'undo' || name === 'redo') && isTextField(event.target))) return;
      event.preventDefault();
      if (!isDialogOpen()) latest.current[name]();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [active]);
}

export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): keyof TableShortcuts | null {
  const mod = event.ctrlKey || event.metaKey;
  // On a Mac, Alt with a letter types a character, so the physical key counts.
  if (event.altKey && !mod && !event.shiftKey) return altKeys[event.code] ?? null;
  if (!mod || event.altKey) return null;
  const key = typedLetter(event);
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  if (event.shiftKey) return key === 'f' ? 'filter' : null;
  return keys[key] ?? null;
}

const altKeys: Record<string, keyof TableShortcuts> = { KeyI: 'inspector', KeyS: 'structure' };

const keys: Record<string, keyof TableShortcuts> = {
  f: 'find',
  k: 'search',
  r: 'reload',
  s: 'save',
  y: 'redo',
};

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches('input, textarea') || target.isContentEditable);
}
