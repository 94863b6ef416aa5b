import { Download, ListFilter, PanelRight, Plus, RotateCw } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Tooltip } from '../shared/tooltip.tsx';
import styles from './table-tab.module.css';

export function TableToolbar(props: {
  filterCount: number;
  filterBarOpen: boolean;
  onToggleFilters(): void;
  /** Why rows cannot be added; undefined where they can. */
  insertRefusal: string | undefined;
  /** Why nothing can be changed, said in the bar itself. */
  refusal: string | undefined;
  onInsert(): void;
  onReload(): void;
  /** Absent where the driver has no export. */
  onExport: (() => void) | undefined;
  valuePanelOpen: boolean;
  onToggleValuePanel(): void;
  children?: React.ReactNode;
}) {
  const add = (
    <Button
      size="small"
      variant="quiet"
      icon={<Plus size={14} aria-hidden />}
      disabled={props.insertRefusal !== undefined}
      focusableWhenDisabled
      onClick={props.onInsert}
    >
      Add row
    </Button>
  );
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Table">
      <Button
        size="small"
        variant="quiet"
        icon={<ListFilter size={14} aria-hidden />}
        aria-expanded={props.filterBarOpen}
        onClick={props.onToggleFilters}
      >
        {props.filterCount > 0 ? `Filters (${props.filterCount})` : 'Filter'}
      </Button>
      <Tooltip text={props.insertRefusal ?? 'Add a row'} shortcut={props.insertRefusal ? undefined : 'Mod+I'}>
        {add}
      </Tooltip>
      {props.children}
      <span className={styles.gap} />
      {props.refusal && <span className={styles.muted}>{props.refusal}</span>}
      {props.onExport && (
        <IconButton size="small" label="Export…" onClick={props.onExport}>
          <Download size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton
        size="small"
        label="Value panel"
        shortcut="Alt+V"
        aria-pressed={props.valuePanelOpen}
        onClick={props.onToggleValuePanel}
      >
        <PanelRight size={14} aria-hidden />
      </IconButton>
      <IconButton size="small" label="Reload" shortcut="Mod+R" onClick={props.onReload}>
        <RotateCw size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
