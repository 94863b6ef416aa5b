/**
 * Moves the focus into the visible tab. If no tab is visible, moves it to a list in the sidebar or on the home page.
 * `yields`: leaves the focus alone if a dialog is open by then, since the dialog needs it.
 */
export function focusActiveTab({ yields = false } = {}): void {
  // The tab may be drawn only in the next frame.
  requestAnimationFrame(() => {
    if (yields && document.querySelector(openDialog)) return;
    workPlace()?.focus();
  });
}

const openDialog = '[role=dialog][data-open], [role=alertdialog][data-open]';

function workPlace(): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>('main:not([hidden]) [role=tabpanel]:not([hidden])') ??
    document.querySelector<HTMLElement>('main:not([hidden]) aside [data-roving][tabindex="0"]') ??
    document.querySelector<HTMLElement>('main:not([hidden]) [data-home] li button')
  );
}

/** Passes a panel's focus on to its grid or editor, which may appear a moment later. */
export function passFocusOn(panel: HTMLElement): void {
  const pass = () => {
    const inner = panel.querySelector<HTMLElement>('[role=textbox][contenteditable], [role=grid]');
    inner?.focus({ preventScroll: true });
    return inner !== null;
  };
  if (pass()) return;
  const observer = new MutationObserver(() => {
    if (document.activeElement !== panel || pass()) observer.disconnect();
  });
  observer.observe(panel, { childList: true, subtree: true });
}
