import { Progress } from '@base-ui/react/progress';
import { X } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import bar from '../../controls/loading/progress-bar.module.css';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import styles from './export.module.css';
import type { Export } from './use-export.ts';

/** The progress of a tab's export, and its result. */
export function ExportStrip({ exporting }: { exporting: Export }) {
  const { current } = exporting;
  if (!current) return null;
  if (current.state === 'failed') {
    return (
      <ErrorNote title={current.words} error={current.error} className={styles.failed}>
        <Button size="small" onClick={exporting.tryAgain}>
          Try again
        </Button>
        <Button size="small" variant="quiet" onClick={exporting.dismiss}>
          Dismiss
        </Button>
      </ErrorNote>
    );
  }
  if (current.state === 'asking') {
    return (
      <Note
        level="warning"
        className={styles.failed}
        actions={
          <>
            <Button size="small" onClick={exporting.exportAnyway}>
              Export anyway
            </Button>
            <Button size="small" variant="quiet" onClick={exporting.dismiss}>
              Cancel
            </Button>
          </>
        }
      >
        <div role="status">
          {current.inexact.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </Note>
    );
  }
  return (
    <div className={styles.strip}>
      <Progress.Root
        className={styles.progress}
        value={current.state === 'running' ? fraction(current) : 100}
        aria-label="Export"
        getAriaValueText={() => current.words}
      >
        <span role="status" className={styles.text}>
          {current.words}
        </span>
        {current.state === 'running' && (
          <Progress.Track className={styles.track}>
            <Progress.Indicator className={bar.indicator} />
          </Progress.Track>
        )}
      </Progress.Root>
      <span className={styles.gap} />
      {current.state === 'running' ? (
        <Button size="small" onClick={exporting.cancel}>
          Cancel export
        </Button>
      ) : (
        <IconButton size="small" label="Dismiss" onClick={exporting.dismiss}>
          <X size={13} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

/** The progress in percent. Null while the total is unknown or 0: the bar then only shows activity. */
function fraction({ done, total }: { done: number; total: number | null }): number | null {
  return total ? Math.min(100, (done / total) * 100) : null;
}
