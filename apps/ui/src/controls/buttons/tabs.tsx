import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface TabPage<Id extends string> {
  id: Id;
  label: ReactNode;
  content: ReactNode;
}

/** Tabs with their pages. The arrow keys move between the tabs. */
export function Tabs<Id extends string>(props: {
  value: Id;
  onValueChange(id: Id): void;
  pages: TabPage<Id>[];
  orientation?: 'horizontal' | 'vertical';
  label: string;
  /** Actions on the visible page, shown beside the tabs. */
  tools?: ReactNode;
}) {
  const list = (
    <BaseTabs.List className={styles.list} aria-label={props.label} activateOnFocus>
      {props.pages.map((page) => (
        <BaseTabs.Tab
          key={page.id}
          value={page.id}
          className={styles.tab}
          data-bold={typeof page.label === 'string' ? page.label : undefined}
        >
          {page.label}
        </BaseTabs.Tab>
      ))}
    </BaseTabs.List>
  );
  return (
    <BaseTabs.Root
      className={styles.root}
      value={props.value}
      onValueChange={(id) => props.onValueChange(id as Id)}
      orientation={props.orientation ?? 'horizontal'}
    >
      {props.tools === undefined ? (
        list
      ) : (
        <div className={styles.head}>
          {list}
          {props.tools}
        </div>
      )}
      {props.pages.map((page) => (
        <BaseTabs.Panel key={page.id} value={page.id} className={styles.panel}>
          {page.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
