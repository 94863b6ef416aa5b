import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { isHandled } from '../controls/keys/is-handled.ts';
import { focusActiveTab } from '../data/window/tab-focus.ts';
import { tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace } from '../data/window/workspace-store.ts';
import styles from './sidebar-over.module.css';
import { closeSidebarOver } from './sidebar-place.ts';

/**
 * The sidebar over the rows of a narrow window. It takes the focus when it opens. It closes, for example, on Escape, on
 * a press beside it, or when the user chooses an entry.
 */
export function SidebarOver(props: { connectionId: string; width: number; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useFocusInside(panel);
  const active = useWorkspace((state) => tabsOf(state, props.connectionId).active);
  const first = useRef(active);
  useEffect(() => {
    if (first.current !== active) closeSidebarOver();
  }, [active]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the sidebar from anywhere inside
    <div
      ref={panel}
      className={styles.over}
      style={{ width: `min(${props.width}px, 80%)` }}
      onKeyDown={closeOnEscape}
      onClick={closeOnEntry}
    >
      {props.children}
    </div>
  );
}

/** Catches the presses beside the sidebar. The rows below must not react to them. */
export function SidebarScrim() {
  return <div className={styles.scrim} data-scrim onPointerDown={closeSidebarOver} />;
}

/** React also bubbles events of the sidebar's menus and dialogs here. Escape in them leaves the sidebar open. */
function closeOnEscape(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape' || isHandled(event)) return;
  if (!event.currentTarget.contains(event.target as Node)) return;
  event.preventDefault();
  closeSidebarOver();
}

/** Closes the sidebar when the user chooses an entry, even if its tab is already active. */
function closeOnEntry(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (!target.closest('[data-roving]')) return;
  closeSidebarOver();
  focusActiveTab();
}

/** Moves the focus into the panel: to its list if it has entries, otherwise to the first control. On close, moves it back. */
function useFocusInside(panel: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const entry = panel.current?.querySelector<HTMLElement>('[data-roving][tabindex="0"]');
    (entry ?? panel.current?.querySelector<HTMLElement>('input, button'))?.focus();
    return () => {
      // If the user has moved the focus elsewhere, it stays there.
      if (document.activeElement !== document.body) return;
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
      else focusActiveTab();
    };
  }, [panel]);
}
