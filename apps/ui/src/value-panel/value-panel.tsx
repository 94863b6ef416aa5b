import type { Cell, ColumnType } from '@trestle/driver-kit';
import { X } from 'lucide-react';
import { EmptyState } from '../shared/empty-state.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { PanelEditor } from './panel-editor.tsx';
import styles from './value-panel.module.css';
import { VectorView } from './vector-view.tsx';

export interface PanelValue {
  /** Names the cell: another one begins anew. */
  id: string;
  column: string;
  type: ColumnType;
  nativeType: string | undefined;
  nullable: boolean;
  /** Undefined while it is being fetched, or where the database fills it in. */
  cell: Cell | undefined;
  /** The text that stands there while nothing is written. */
  unset: string;
  /** Why it cannot be changed; undefined where it can. */
  refusal: string | undefined;
}

/** The cell under the cursor in full: long text, JSON and vectors. */
export function ValuePanel(props: { value: PanelValue | null; onStage(cell: Cell): void; onClose(): void }) {
  const { value } = props;
  return (
    <aside className={styles.panel} aria-label="Value">
      <header className={styles.header}>
        <h2>{value?.column ?? 'Value'}</h2>
        {value && <span className={styles.type}>{value.nativeType ?? value.type}</span>}
        <span className={styles.gap} />
        <IconButton label="Close the value panel" shortcut="Alt+V" size="small" onClick={props.onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </header>
      {!value && <EmptyState title="No cell is selected" />}
      {value && <Content key={value.id} value={value} onStage={props.onStage} />}
    </aside>
  );
}

function Content({ value, onStage }: { value: PanelValue; onStage(cell: Cell): void }) {
  if (value.type === 'vector') {
    if (value.cell === undefined) return <p className={styles.wait}>The vector is being fetched …</p>;
    return <VectorView cell={value.cell} />;
  }
  return <PanelEditor value={value} onStage={onStage} />;
}
