import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDialogs } from '../data/window/open-dialog.ts';
import { emptyWorkspace, openTab, showHome, tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace } from '../data/window/workspace-store.ts';
import { tableTab } from '../table-tab/table-tabs.tsx';
import { actionFor, onKey } from './shortcuts.ts';

beforeEach(() => {
  // No dialog is open.
  vi.stubGlobal('document', { querySelector: () => null });
  const shown = { ...emptyWorkspace, current: 'c1' };
  useWorkspace.setState(openTab(shown, 'c1', { ...tableTab('songs'), id: 't1' }), true);
});

afterEach(() => {
  vi.unstubAllGlobals();
  useWorkspace.setState(emptyWorkspace, true);
  useDialogs.setState({ palette: false });
});

const isUsed = (key: string, code: string, modifier: 'ctrlKey' | 'metaKey' | 'altKey' = 'ctrlKey') => {
  const keys = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, [modifier]: true };
  return actionFor({ key, code, ...keys }) !== null;
};

test('on AZERTY, Ctrl+W is a shortcut and Ctrl+Z is not', () => {
  expect(isUsed('z', 'KeyW')).toBe(false);
  expect(isUsed('w', 'KeyZ')).toBe(true);
  expect(isUsed('z', 'KeyW', 'metaKey')).toBe(false);
});

test('on AZERTY and Dvorak, the typed key decides the shortcuts of the palette, the sidebar and the settings', () => {
  expect(isUsed(',', 'KeyM')).toBe(true);
  expect(isUsed('p', 'KeyR')).toBe(true);
  expect(isUsed('b', 'KeyN')).toBe(true);
  expect(isUsed('l', 'KeyP')).toBe(false);
  expect(isUsed('x', 'KeyB')).toBe(false);
});

test('on a Cyrillic layout, the physical key counts', () => {
  expect(isUsed('ц', 'KeyW')).toBe(true);
  expect(isUsed('з', 'KeyP')).toBe(true);
  expect(isUsed('б', 'Comma')).toBe(true);
});

test('with Alt, the physical key counts: on a Mac, Alt with a letter types another character', () => {
  expect(isUsed('∑', 'KeyW', 'altKey')).toBe(true);
  expect(isUsed('w', 'KeyW', 'altKey')).toBe(true);
});

test('on the home of a connection, the previous tab is the last one', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const two = openTab(useWorkspace.getState(), 'c1', { ...tableTab('artists'), id: 't2' });
  useWorkspace.setState(showHome(two, 'c1'), true);
  actionFor({
    key: 'PageUp',
    code: 'PageUp',
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: true,
  })?.();
  expect(tabsOf(useWorkspace.getState(), 'c1').active).toBe('t2');
});

test('the repeats of a held shortcut do nothing in the window or the browser, and other keys are left to the browser', () => {
  const preventDefault = vi.fn();
  const press = (code: string, repeat: boolean) =>
    onKey({ key: code.slice(3).toLowerCase(), code, ctrlKey: true, repeat, preventDefault } as never);
  press('KeyP', false);
  press('KeyP', true);
  expect(preventDefault).toHaveBeenCalledTimes(2);
  expect(useDialogs.getState().palette).toBe(true);
  press('KeyX', false);
  press('KeyX', true);
  expect(preventDefault).toHaveBeenCalledTimes(2);
});
