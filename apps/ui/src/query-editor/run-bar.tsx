import { History, Play, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../shared/button.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Select } from '../shared/select.tsx';
import { Tooltip } from '../shared/tooltip.tsx';
import { useDelayed } from '../shared/use-delayed.ts';
import { durationText } from './duration-text.ts';
import styles from './query-tab.module.css';

const limits = [100, 1000, 10_000].map((value) => ({ value, label: `${value.toLocaleString('en')} rows` }));

export function RunBar(props: {
  running: { since: number } | null;
  hasSelection: boolean;
  limit: number;
  showsHistory: boolean;
  onLimit(limit: number): void;
  onRun(): void;
  onCancel(): void;
  onToggleHistory(): void;
}) {
  const { running } = props;
  const slow = useDelayed(running !== null);
  return (
    <div className={styles.bar} role="toolbar" aria-label="Run">
      {running && slow ? (
        <>
          <Button size="small" icon={<Square size={11} aria-hidden />} onClick={props.onCancel}>
            Cancel
          </Button>
          <Elapsed since={running.since} />
        </>
      ) : (
        <Tooltip text="Run the selection, or the statement at the cursor" shortcut="Mod+Enter">
          <Button
            size="small"
            variant="primary"
            icon={<Play size={12} aria-hidden />}
            disabled={running !== null}
            focusableWhenDisabled
            onClick={props.onRun}
          >
            {props.hasSelection ? 'Run selection' : 'Run'}
          </Button>
        </Tooltip>
      )}
      <span className={styles.space} />
      <Select
        aria-label="Rows at most"
        size="small"
        className={styles.limit}
        value={props.limit}
        options={limits}
        onValueChange={props.onLimit}
      />
      <IconButton
        label="History"
        size="small"
        aria-pressed={props.showsHistory}
        onClick={props.onToggleHistory}
      >
        <History size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className={styles.elapsed} role="timer">
      {durationText(Math.max(0, now - since))}
    </span>
  );
}
