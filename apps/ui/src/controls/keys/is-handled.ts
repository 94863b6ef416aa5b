/**
 * Whether something on the page has used this key already. A disabled button that keeps the focus (Base UI's
 * `focusableWhenDisabled`) prevents the default of every key but Tab. The button does not use these keys, so they do
 * not count as used.
 */
export function isHandled(event: { defaultPrevented: boolean; target: EventTarget | null }): boolean {
  if (!event.defaultPrevented) return false;
  return !(event.target instanceof Element && event.target.matches('button[aria-disabled=true]'));
}
