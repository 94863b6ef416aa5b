import { isMac } from './is-mac.ts';
import { isTyping } from './is-typing.ts';

/**
 * Whether the key types a character in a text field. On a Mac, Option does that: Option+S is ś in Polish, and Option+5
 * is [ in German. There it is no shortcut.
 */
export function typesCharacter(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  mac = isMac,
): boolean {
  if (!mac || !event.altKey || event.ctrlKey || event.metaKey) return false;
  return (event.key.length === 1 || event.key === 'Dead') && isTyping();
}
