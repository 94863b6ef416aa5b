import type { StagedCounts } from '@trestle/core/staged-edits';
import type { ColumnDescription } from '@trestle/driver-kit';
import { Redo2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { IconButton } from '../controls/buttons/icon-button.tsx';
import { Kbd } from '../controls/keys/kbd.tsx';
import { useDelayed } from '../controls/loading/use-delayed.ts';
import { counted } from '../controls/text/counted.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { ConflictRows } from './conflict-rows.tsx';
import { keepsKey } from './keeps-key.ts';
import { SaveProgress } from './save-progress.tsx';
import styles from './table-tab.module.css';
import { UnknownRows } from './unknown-rows.tsx';
import type { SaveProgress as Running } from './use-save.ts';
import type { Staged } from './use-staged.ts';

/** Counts the staged changes and offers the actions on them. Shown while there are any, or a save is running. */
export function StagedBar(props: {
  staged: Staged;
  /** How many staged rows are not on this page. */
  elsewhere: number;
  /** The running save. */
  progress: Running | null;
  canPreview: boolean;
  /** The list of changes, opened by its button. */
  review: ReactNode;
  error: unknown;
  onUndo(): void;
  onRedo(): void;
  onDiscard(): void;
  onPreview(): void;
  onSave(): void;
  /** Saves rows in conflict whose edits the user keeps. */
  onSaveRows(rows: string[]): void;
  columns: ColumnDescription[];
  onCancel(): void;
  /** Sends again the new rows whose save got no answer. */
  onSendAgain(): void;
  onLookForThem(): void;
}) {
  const { staged, progress } = props;
  const { counts, failed, unknown } = staged;
  const saving = progress !== null;
  // A fast save needs no progress bar.
  const showsProgress = useDelayed(saving);
  const savable = counts.total - unknown.length;
  return (
    <section className={styles.staged} aria-label="Unsaved changes">
      {props.error !== null && <ErrorNote error={props.error} />}
      {unknown.length > 0 && (
        <UnknownRows
          count={unknown.length}
          keyed={unknown.every((row) => keepsKey(staged.rows, row))}
          disabled={saving}
          onSendAgain={props.onSendAgain}
          onLook={props.onLookForThem}
          onDiscard={() => staged.discardRows(unknown)}
        />
      )}
      {staged.conflicts.length > 0 && (
        <ConflictRows
          rows={staged.conflicts}
          columns={props.columns}
          disabled={saving}
          onKeep={(rows) => {
            staged.keepMine(rows);
            props.onSaveRows(rows.map(({ row }) => row));
          }}
          onTake={staged.takeTheirs}
        />
      )}
      <div className={styles.stagedRow}>
        <div role="status" className={styles.counts}>
          {stagedText(counts)}
          {staged.invalid > 0 && (
            <span className={styles.failedCount}>
              {counted(staged.invalid, 'invalid cell', 'invalid cells')}
            </span>
          )}
          {failed > 0 && <span className={styles.failedCount}>{failed.toLocaleString('en')} failed</span>}
          {props.elsewhere > 0 && (
            <span className={styles.muted}>{props.elsewhere.toLocaleString('en')} not on this page</span>
          )}
        </div>
        <div className={styles.stagedActions}>
          <IconButton
            size="small"
            label="Undo"
            shortcut="Mod+Z"
            disabled={!staged.canUndo}
            focusableWhenDisabled
            onClick={props.onUndo}
          >
            <Undo2 size={14} aria-hidden />
          </IconButton>
          <IconButton
            size="small"
            label="Redo"
            shortcut="Shift+Mod+Z"
            disabled={!staged.canRedo}
            focusableWhenDisabled
            onClick={props.onRedo}
          >
            <Redo2 size={14} aria-hidden />
          </IconButton>
          <span className={styles.divider} />
          {progress && showsProgress ? (
            <SaveProgress progress={progress} onCancel={props.onCancel} />
          ) : (
            <>
              <Button
                size="small"
                variant="quiet"
                disabled={saving}
                focusableWhenDisabled
                onClick={props.onDiscard}
              >
                Discard
              </Button>
              {props.review}
              {props.canPreview && savable > 0 && (
                <Button size="small" disabled={saving} focusableWhenDisabled onClick={props.onPreview}>
                  Preview
                </Button>
              )}
              {savable > 0 && (
                <Button
                  size="small"
                  variant="primary"
                  disabled={saving}
                  focusableWhenDisabled
                  onClick={props.onSave}
                >
                  {saveText(savable)}
                  <Kbd keys="Mod+S" />
                </Button>
              )}
            </>
          )}
        </div>
      </div>
    </section>
  );
}

export function saveText(rows: number): string {
  return `Save ${counted(rows, 'row')}`;
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
