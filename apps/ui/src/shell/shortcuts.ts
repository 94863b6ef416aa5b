import { useEffect } from 'react';
import { isDialogOpen } from '../controls/dialogs/is-dialog-open.ts';
import { isHandled } from '../controls/keys/is-handled.ts';
import { typedLetter } from '../controls/keys/typed-letter.ts';
import { typesCharacter } from '../controls/keys/types-character.ts';
import { hasEditor } from '../data/queries/queries.ts';
import { dialogs, useDialogs } from '../data/window/open-dialog.ts';
import { focusActiveTab } from '../data/window/tab-focus.ts';
import { tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { openQuery } from '../panels/query-editor/query-state.ts';
import { requestCloseTab } from '../workspace/close-tab.ts';
import { toggleSidebar } from '../workspace/sidebar-place.ts';
import { reopenLast } from '../workspace/tab-kinds.ts';

/**
 * The shortcuts of the window. A browser reserves Ctrl+W and Ctrl+Tab, unless the window is an app window of Chromium.
 * So both have an alternative with Alt. On a Mac, Alt with a letter types a character, so with Alt the physical key
 * counts.
 */
export function useShortcuts(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** The key of the last shortcut, while it may be held. Its repeats must not type a letter or reach the browser. */
let held: string | null = null;

export function onKey(event: KeyboardEvent): void {
  if (event.repeat) {
    if (event.code === held) event.preventDefault();
    return;
  }
  held = null;
  if (isHandled(event) || event.isComposing || typesCharacter(event)) return;
  const action = actionFor(event);
  if (!action) return;
  held = event.code;
  event.preventDefault();
  action();
}

type ShortcutKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** The action of a key; null leaves the key to the page. */
export function actionFor(event: ShortcutKey): (() => void) | null {
  const mod = event.ctrlKey || event.metaKey;
  const letter = mod && !event.altKey ? typedLetter(event) : null;
  const { connectionForm, settings, palette, shortcuts } = useDialogs.getState();
  if (mod && !event.altKey && event.key === '/' && (shortcuts || !isDialogOpen())) {
    return () => dialogs.showShortcuts(!shortcuts);
  }
  if (letter === 'p' && !event.shiftKey && !connectionForm && !settings) {
    return () => dialogs.showPalette(!palette);
  }
  if (connectionForm || settings || palette || isDialogOpen()) return null;
  if (letter === ',') return () => dialogs.showSettings('general');

  const state = useWorkspace.getState();
  const connectionId = state.current;
  if (!connectionId) return null;
  if (letter === 'b' && !event.shiftKey) return toggleSidebar;
  const { list, active } = tabsOf(state, connectionId);
  const at = list.findIndex((tab) => tab.id === active);
  const show = (index: number) => () => {
    const tab = list[(index + list.length) % list.length];
    if (tab) workspace.activateTab(connectionId, tab.id);
    focusActiveTab();
  };
  // No tab is active on the home of a connection. The last tab comes before it, the first tab after it.
  const before = at < 0 ? list.length - 1 : at - 1;
  const alt = event.altKey && !mod && !event.shiftKey;
  if ((letter === 'w' && !event.shiftKey) || (alt && event.code === 'KeyW')) {
    if (!active) return null;
    return () => {
      requestCloseTab(connectionId, active);
      focusActiveTab();
    };
  }
  if (event.altKey && event.shiftKey && !mod && event.code === 'KeyT') {
    return () => {
      workspace.apply((now) => reopenLast(now, connectionId));
      focusActiveTab();
    };
  }
  if (alt && event.code === 'KeyN') {
    return hasEditor(connectionId) ? () => openQuery(connectionId) : null;
  }
  if (alt && /^Digit[1-9]$/.test(event.code)) {
    const index = Number(event.code.slice(5)) - 1;
    return index < list.length ? show(index) : null;
  }
  if (event.ctrlKey && event.key === 'Tab') return show(event.shiftKey ? before : at + 1);
  if (alt && event.code === 'PageDown') return show(at + 1);
  if (alt && event.code === 'PageUp') return show(before);
  return null;
}
