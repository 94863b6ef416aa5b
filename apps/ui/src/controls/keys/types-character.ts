import { isMac } from './is-mac.ts';
import { isTyping } from './is-typing.ts';

/**
 * Whether a key with Option types a character into a text field, on a Mac: Option+S is ś in Polish, and Option+5 is [
 * in German. Such a key is not a shortcut.
 */
export function typesCharacter(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  mac = isMac,
): boolean {
  if (!mac || !event.altKey || event.ctrlKey || event.metaKey) return false;
  return (event.key.length === 1 || event.key === 'Dead') && isTyping();
}
