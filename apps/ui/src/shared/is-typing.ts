/**
 * Whether the focus is in a text field or another input. Work that ends later must not take the focus from there: the
 * next letters would go somewhere else.
 */
export function isTyping(): boolean {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return false;
  return activeElement.matches('input, textarea') || activeElement.isContentEditable;
}
