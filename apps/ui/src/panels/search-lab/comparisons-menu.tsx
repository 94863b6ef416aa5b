import { Bookmark, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { NameDialog } from '../../controls/dialogs/name-dialog.tsx';
import { Menu } from '../../controls/menus/menu.tsx';
import type { MenuEntry } from '../../controls/menus/menu-entries.tsx';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { hashOf } from '../../data/queries/query-hash.ts';
import type { Comparison } from './comparison.ts';
import type { SavedComparisons } from './saved-comparisons.ts';
import styles from './search-lab.module.css';

type Asking = { kind: 'save' } | { kind: 'rename' } | { kind: 'delete' } | null;

/** Saves the comparison under a name, and opens, renames and deletes saved comparisons. */
export function ComparisonsMenu(props: {
  saved: SavedComparisons;
  comparison: Comparison;
  onOpen(comparison: Comparison): void;
  /** The shown comparison is now saved under this id; undefined if it is no longer saved. */
  onSavedId(id: string | undefined): void;
}) {
  const { saved, comparison } = props;
  const [asking, setAsking] = useState<Asking>(null);
  const current = saved.list.find(({ id }) => id === comparison.savedId);
  const { savedId: _, ...plain } = comparison;
  const isChanged = current && hashOf([current.comparison]) !== hashOf([plain]);
  const saveAs = (name: string) => {
    const id = crypto.randomUUID();
    saved.save(id, { name, comparison: plain });
    props.onSavedId(id);
  };
  const entries: MenuEntry[] = [
    ...saved.list.map((item) => ({
      label: item.name,
      disabled: item.id === current?.id && !isChanged,
      onSelect: () => props.onOpen({ ...item.comparison, savedId: item.id }),
    })),
    ...(saved.list.length > 0 ? ['separator' as const] : []),
    ...(current && isChanged
      ? [
          {
            label: `Save “${current.name}”`,
            icon: <Bookmark size={14} aria-hidden />,
            onSelect: () => saved.save(current.id, { name: current.name, comparison: plain }),
          },
        ]
      : []),
    {
      label: 'Save under a new name…',
      icon: <Bookmark size={14} aria-hidden />,
      onSelect: () => setAsking({ kind: 'save' }),
    },
    ...(current
      ? [
          {
            label: `Rename “${current.name}”…`,
            icon: <Pencil size={14} aria-hidden />,
            onSelect: () => setAsking({ kind: 'rename' }),
          },
          {
            label: `Delete “${current.name}”…`,
            icon: <Trash2 size={14} aria-hidden />,
            danger: true,
            onSelect: () => setAsking({ kind: 'delete' }),
          },
        ]
      : []),
  ];
  const close = () => setAsking(null);
  const label = current ? `${current.name}${isChanged ? ' (changed)' : ''}` : 'Save comparison';
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button size="small" icon={<Bookmark size={14} aria-hidden />} aria-label={label}>
            <span className={styles.saved}>{label}</span>
          </Button>
        }
        entries={entries}
      />
      <NameDialog
        open={asking?.kind === 'save' || asking?.kind === 'rename'}
        title={asking?.kind === 'rename' ? 'Rename the comparison' : 'Save the comparison'}
        act={asking?.kind === 'rename' ? 'Rename' : 'Save'}
        initial={asking?.kind === 'rename' ? (current?.name ?? '') : comparison.text}
        onClose={close}
        onName={(name) => {
          if (asking?.kind === 'rename' && current) saved.rename(current.id, name);
          else saveAs(name);
          close();
        }}
      />
      <AlertDialog
        open={asking?.kind === 'delete'}
        title={`Delete the comparison “${current?.name}”?`}
        confirm="Delete"
        danger
        onCancel={close}
        onConfirm={() => {
          if (current) saved.remove(current.id);
          props.onSavedId(undefined);
          close();
        }}
      >
        <p>Its columns stay on the screen. Marks and query sets are kept.</p>
      </AlertDialog>
    </>
  );
}
