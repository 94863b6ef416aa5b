import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { Kbd } from '../keys/kbd.tsx';
import styles from '../popups/popup.module.css';
import { classNames } from '../styles/class-names.ts';

export type MenuEntry =
  | 'separator'
  | {
      label: string;
      icon?: ReactNode;
      shortcut?: string;
      danger?: boolean;
      disabled?: boolean;
      onSelect(): void;
    };

/** The entries of a context menu or of a button's menu. */
export function MenuEntries({ entries }: { entries: MenuEntry[] }) {
  return entries.map((entry, index) =>
    entry === 'separator' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other key
      <BaseMenu.Separator key={index} className={styles.separator} />
    ) : (
      <BaseMenu.Item
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have the same label
        key={index}
        className={classNames(styles.item, entry.danger && styles.danger)}
        disabled={entry.disabled}
        onClick={entry.onSelect}
      >
        {entry.icon && <span className={styles.mark}>{entry.icon}</span>}
        <span className={styles.label}>{entry.label}</span>
        {entry.shortcut && <Kbd keys={entry.shortcut} />}
      </BaseMenu.Item>
    ),
  );
}
