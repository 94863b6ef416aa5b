/**
 * The letter or sign of a key, for a shortcut with Ctrl or Cmd. The typed letter counts: on AZERTY, Z is the physical
 * key W. A layout of a non-Latin script types no Latin letter, so the physical key counts. A key without a letter, such
 * as Enter, keeps its name.
 */
export function typedLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (/^[\p{Script=Latin}\p{ASCII}]$/u.test(key)) return key.toLowerCase();
  if (code === 'Comma') return ',';
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}
