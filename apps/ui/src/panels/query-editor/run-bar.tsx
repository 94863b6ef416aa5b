import { Bookmark, History, ListEnd, Play, Replace, Square, WandSparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { isSecondClick } from '../../controls/keys/is-second-click.ts';
import { useDelayed } from '../../controls/loading/use-delayed.ts';
import { Tooltip } from '../../controls/popups/tooltip.tsx';
import { durationText } from './duration-text.ts';
import type { QueryActs } from './query-commands.ts';
import styles from './query-tab.module.css';
import type { Marked } from './run-mark.ts';
import type { Running } from './use-run-query.ts';

const limits = [100, 1000, 10_000].map((value) => ({ value, label: `${value.toLocaleString('en')} rows` }));

export function RunBar(props: {
  running: Running | null;
  hasSelection: boolean;
  marked: Marked | null;
  /** Whether the tab has no saved query, or another text than its saved query. */
  isUnsaved: boolean;
  limit: number;
  showsHistory: boolean;
  acts: QueryActs;
  onLimit(limit: number): void;
}) {
  const { running, acts } = props;
  const slow = useDelayed(running !== null);
  return (
    <div className={styles.bar} role="toolbar" aria-label="Run">
      {running && slow ? (
        <>
          <Button
            size="small"
            icon={<Square size={11} aria-hidden />}
            onClick={(event) => !isSecondClick(event) && acts.cancel()}
          >
            Cancel
          </Button>
          <Elapsed running={running} />
        </>
      ) : (
        <>
          <Tooltip text="Run the selection, or the statement at the cursor" shortcut="Mod+Enter">
            <Button
              size="small"
              variant="primary"
              icon={<Play size={12} aria-hidden />}
              disabled={running !== null}
              focusableWhenDisabled
              onClick={acts.run}
            >
              {props.hasSelection ? 'Run selection' : 'Run'}
            </Button>
          </Tooltip>
          {props.marked && (
            <Tooltip text="Run all statements, one after the other" shortcut="Shift+Mod+Enter">
              <Button
                size="small"
                variant="quiet"
                icon={<ListEnd size={13} aria-hidden />}
                disabled={running !== null}
                focusableWhenDisabled
                onClick={acts.runAll}
              >
                <span className={styles.word}>Run all</span>
              </Button>
            </Tooltip>
          )}
        </>
      )}
      <Tooltip text="Format" shortcut="Shift+Alt+F">
        <Button
          size="small"
          variant="quiet"
          icon={<WandSparkles size={13} aria-hidden />}
          onClick={acts.format}
        >
          <span className={styles.word}>Format</span>
        </Button>
      </Tooltip>
      {acts.convert && (
        <Tooltip text="Show the query as Connect, Python or TypeScript">
          <Button
            size="small"
            variant="quiet"
            icon={<Replace size={13} aria-hidden />}
            onClick={acts.convert}
          >
            <span className={styles.word}>Convert</span>
          </Button>
        </Tooltip>
      )}
      <Tooltip text={props.isUnsaved ? 'Save the query' : 'The query is saved'} shortcut="Mod+S">
        <Button size="small" variant="quiet" icon={<Bookmark size={13} aria-hidden />} onClick={acts.save}>
          <span className={styles.word}>{props.isUnsaved ? 'Save' : 'Saved'}</span>
        </Button>
      </Tooltip>
      <span className={styles.space} />
      {props.marked && <span className={styles.marked}>{linesText(props.marked)}</span>}
      <Select
        aria-label="Row limit"
        size="small"
        className={styles.limit}
        value={props.limit}
        options={limits}
        onValueChange={props.onLimit}
      />
      <IconButton
        label="History"
        size="small"
        shortcut="Alt+H"
        aria-pressed={props.showsHistory}
        onClick={acts.history}
      >
        <History size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

function linesText({ lines: [first, last] }: Marked): string {
  return first === last ? `Runs line ${first}` : `Runs lines ${first}–${last}`;
}

function Elapsed({ running }: { running: Running }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <span className={styles.elapsed} role="timer">
        {durationText(Math.max(0, now - running.since))}
      </span>
      {running.of > 1 && (
        <span className={styles.elapsed}>
          {running.at} of {running.of}
        </span>
      )}
    </>
  );
}
