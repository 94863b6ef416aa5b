import { Redo2, Undo2 } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Kbd } from '../shared/kbd.tsx';
import type { StagedCounts } from './staged-edits.ts';
import styles from './table-tab.module.css';
import type { Staged } from './use-staged.ts';

/** What is staged, in numbers, and what can be done with it; there as long as something is. */
export function StagedBar(props: {
  staged: Staged;
  /** Staged rows that are not on this page. */
  elsewhere: number;
  saving: boolean;
  canPreview: boolean;
  error: unknown;
  onUndo(): void;
  onDiscard(): void;
  onPreview(): void;
  onSave(): void;
}) {
  const { staged, saving } = props;
  const { counts, failed } = staged;
  return (
    <section className={styles.staged} aria-label="Unsaved changes">
      {props.error !== null && <ErrorNote error={props.error} />}
      <div className={styles.stagedRow}>
        <div role="status" className={styles.counts}>
          {stagedText(counts)}
          {failed > 0 && <span className={styles.failedCount}>{failed} failed</span>}
          {props.elsewhere > 0 && <span className={styles.muted}>{props.elsewhere} not on this page</span>}
        </div>
        <div className={styles.stagedActions}>
          <IconButton
            size="small"
            label="Undo"
            shortcut="Mod+Z"
            disabled={!staged.canUndo || saving}
            focusableWhenDisabled
            onClick={props.onUndo}
          >
            <Undo2 size={14} aria-hidden />
          </IconButton>
          <IconButton
            size="small"
            label="Redo"
            shortcut="Shift+Mod+Z"
            disabled={!staged.canRedo || saving}
            focusableWhenDisabled
            onClick={staged.redo}
          >
            <Redo2 size={14} aria-hidden />
          </IconButton>
          <span className={styles.divider} />
          <Button
            size="small"
            variant="quiet"
            disabled={saving}
            focusableWhenDisabled
            onClick={props.onDiscard}
          >
            Discard
          </Button>
          {props.canPreview && (
            <Button size="small" disabled={saving} focusableWhenDisabled onClick={props.onPreview}>
              Preview
            </Button>
          )}
          <Button
            size="small"
            variant="primary"
            disabled={saving}
            focusableWhenDisabled
            onClick={props.onSave}
          >
            {saving ? 'Saving…' : saveText(counts)}
            {!saving && <Kbd keys="Mod+S" />}
          </Button>
        </div>
      </div>
    </section>
  );
}

export function saveText({ total }: StagedCounts): string {
  return `Save ${total.toLocaleString('en')} ${total === 1 ? 'row' : 'rows'}`;
}

function stagedText({ updated, inserted, deleted }: StagedCounts): string {
  return [
    updated > 0 && `${updated.toLocaleString('en')} edited`,
    inserted > 0 && `${inserted.toLocaleString('en')} new`,
    deleted > 0 && `${deleted.toLocaleString('en')} deleted`,
  ]
    .filter(Boolean)
    .join(', ');
}
