import { isMac } from './is-mac.ts';
import styles from './kbd.module.css';

/** A shortcut such as `Mod+P`, as the platform writes it. */
export function Kbd(props: { keys: string }) {
  return <kbd className={styles.kbd}>{shortcutText(props.keys)}</kbd>;
}

export function shortcutText(keys: string, mac = isMac): string {
  const names: Record<string, string> = mac
    ? { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Enter: '↵' }
    : { Mod: 'Ctrl', Enter: '↵' };
  if (keys === '+') return keys;
  return keys
    .split('+')
    .map((key) => names[key] ?? key)
    .join(mac ? '' : '+');
}
