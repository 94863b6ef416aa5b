/**
 * The `ref` of a panel. A button that disappears or is disabled when pressed loses the focus. The panel then gets the
 * focus.
 */
export function keepFocus(panel: HTMLElement | null): (() => void) | undefined {
  if (!panel) return undefined;
  let last: Element | null = null;
  const note = ({ target }: FocusEvent) => {
    last = target as Element;
  };
  const forget = ({ relatedTarget }: FocusEvent) => {
    // The focus moves to another element. Until it arrives, `activeElement` is the body. If `last` disappears in that
    // time, the panel must not take the focus.
    if (relatedTarget) last = null;
  };
  const observer = new MutationObserver(() => {
    const { activeElement, body } = document;
    if (!last || (activeElement !== body && activeElement !== last)) return;
    if (panel.contains(last) && !last.matches(':disabled')) return;
    last = null;
    panel.focus();
  });
  panel.addEventListener('focusin', note);
  panel.addEventListener('focusout', forget);
  observer.observe(panel, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    panel.removeEventListener('focusin', note);
    panel.removeEventListener('focusout', forget);
    observer.disconnect();
  };
}
