import { typedLetter } from '../../controls/keys/typed-letter.ts';
import type { Motion } from './navigation.ts';

export type KeyCommand =
  | { kind: 'move'; motion: Motion; extend: boolean }
  | {
      kind:
        | 'edit'
        | 'editLarge'
        | 'replace'
        | 'activate'
        | 'copy'
        | 'paste'
        | 'fillDown'
        | 'duplicateRows'
        | 'selectAll'
        | 'selectRow'
        | 'selectColumn'
        | 'setNull'
        | 'deleteRows'
        | 'insertRow'
        | 'findSimilar'
        | 'find'
        | 'menu';
    };

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** The command of a key while the grid has the focus; null leaves the key to the page. */
export function keyCommand(press: KeyPress): KeyCommand | null {
  const { key, shiftKey: shift, altKey: alt } = press;
  const mod = press.ctrlKey || press.metaKey;
  if (alt) {
    if (press.ctrlKey && isSpecialCharacter(key)) return { kind: 'replace' };
    return key === 'ArrowDown' && !mod && !shift ? { kind: 'menu' } : null;
  }
  const motion = (mod ? modMotions : motions)[key];
  if (motion) return { kind: 'move', motion, extend: shift };
  if (mod) {
    const kind = (shift ? modShiftKeys : modKeys)[typedLetter(press)];
    return kind ? { kind } : null;
  }
  if (key === 'Enter') return { kind: shift ? 'editLarge' : 'edit' };
  if (key === ' ') return { kind: shift ? 'selectRow' : 'activate' };
  if (key === 'F10') return shift ? { kind: 'menu' } : null;
  const kind = plainKeys[key];
  if (kind) return { kind };
  // `Process` and `Dead` start a composition, which must continue in the editor.
  return key.length === 1 || [...key].length === 1 || key === 'Process' || key === 'Dead'
    ? { kind: 'replace' }
    : null;
}

/**
 * Whether a key types a character such as @ or €, which may be on AltGr. Microsoft Windows reports AltGr as Ctrl+Alt.
 * With a digit or one of the letters a to z, Ctrl+Alt counts as a shortcut. The Option key of a Mac types
 * such characters too, but it is not read as AltGr: the window has shortcuts with Option.
 */
function isSpecialCharacter(key: string): boolean {
  return [...key].length === 1 && !/^[a-z0-9\s]$/i.test(key);
}

type PlainKind = Exclude<KeyCommand['kind'], 'move'>;

const motions: Record<string, Motion> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'rowStart',
  End: 'rowEnd',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
};

const modMotions: Record<string, Motion> = {
  ArrowUp: 'top',
  ArrowDown: 'bottom',
  ArrowLeft: 'rowStart',
  ArrowRight: 'rowEnd',
  Home: 'first',
  End: 'last',
};

/** Paste has no key in this table: the browser's paste event contains the text, without a permission prompt. */
const modKeys: Record<string, PlainKind> = {
  a: 'selectAll',
  c: 'copy',
  d: 'fillDown',
  e: 'findSimilar',
  f: 'find',
  i: 'insertRow',
  Backspace: 'setNull',
  ' ': 'selectColumn',
};

const modShiftKeys: Record<string, PlainKind> = { d: 'duplicateRows' };

const plainKeys: Record<string, PlainKind> = {
  F2: 'edit',
  Backspace: 'replace',
  Delete: 'deleteRows',
  ContextMenu: 'menu',
};
