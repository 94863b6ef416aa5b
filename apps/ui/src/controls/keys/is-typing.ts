/**
 * Whether the focus is in a text field or another input. Work that ends in the background must not move the focus,
 * because the next letters would go to the wrong element.
 */
export function isTyping(): boolean {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return false;
  return activeElement.matches('input, textarea') || activeElement.isContentEditable;
}
