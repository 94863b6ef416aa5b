import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { ProgressBar } from '../../controls/loading/progress-bar.tsx';
import { Spinner } from '../../controls/loading/spinner.tsx';
import { ProblemList } from '../../controls/marks/problem-list.tsx';
import { counted } from '../../controls/text/counted.ts';
import { sentences } from '../../controls/text/sentences.ts';
import { toApiError } from '../../data/api/api.ts';
import { download } from '../../data/api/download.ts';
import { Note } from '../../data/messages/error-note.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import styles from './import.module.css';
import { failedFile } from './import-api.ts';
import { againWords, doubledWords, timeWords, warningWords } from './import-words.ts';
import type { Import, ImportStep } from './use-import.ts';

export function ImportProgress({ step: { job } }: { step: ImportStep & { kind: 'running' } }) {
  if (!job) return <Spinner label="Import" />;
  const { progress, startedAt, isCancelling } = job;
  const { done, total } = progress;
  const rate = Math.round(done / Math.max(0.2, (Date.now() - Date.parse(startedAt)) / 1000));
  const words = `${done.toLocaleString('en')} of ${counted(total ?? 0, 'row')}`;
  return (
    <ProgressBar
      label="Import"
      total={total}
      done={done}
      words={words}
      figures={done > 0 ? `${words}, ${rate.toLocaleString('en')} a second` : words}
    >
      <span className={styles.muted}>
        {isCancelling ? 'Waiting for the rows that were already sent.' : progress.words}
      </span>
    </ProgressBar>
  );
}

/** The outcome of the rows, and the actions for those that failed. */
export function ImportResult(props: { importing: Import; step: ImportStep & { kind: 'done' } }) {
  const { importing, step } = props;
  const { report, job } = step;
  const { problems, existing, isNumbered, file } = job.detail;
  const seconds = (Date.parse(job.endedAt ?? '') - Date.parse(job.startedAt)) / 1000;
  const [isBusy, setBusy] = useState(false);
  const failed = report.failed + report.unknown;
  const doubled = doubledWords(report, isNumbered);
  const warning = warningWords(report);
  const isGood = job.outcome?.how === 'complete' && !warning;
  const save = async () => {
    setBusy(true);
    try {
      download(await failedFile(file.id));
    } catch (error) {
      showToast({ title: toApiError(error).message });
    } finally {
      setBusy(false);
    }
  };
  const again = async () => {
    setBusy(true);
    await importing.tryAgain();
    setBusy(false);
  };
  return (
    <div className={styles.result}>
      <Note level={isGood ? 'info' : 'warning'}>
        <p>
          <strong>{job.outcome?.words}.</strong> {job.progress.words} in {timeWords(seconds)}.
        </p>
        {report.error && <p>{sentences(report.error.message, report.error.hint)}</p>}
        {report.ended !== 'complete' && <p>{againWords(isNumbered, existing)}</p>}
        {doubled && <p>{doubled}</p>}
        {warning && <p>{warning}</p>}
      </Note>
      {failed > 0 && (
        <>
          <div className={styles.failedActs}>
            <Button size="small" disabled={isBusy} focusableWhenDisabled onClick={() => void again()}>
              Try these again
            </Button>
            <Button
              size="small"
              variant="quiet"
              disabled={isBusy}
              focusableWhenDisabled
              onClick={() => void save()}
            >
              Save failed rows…
            </Button>
          </div>
          <ProblemList label="Rows that failed">
            {problems.map(({ line, problem }, at) => (
              // Rows of a JSON array may share a line and a problem, so the key is the position. The list does not change.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={at} className={styles.failedRow}>
                <span className={styles.line}>Line {line}</span> <span>{problem}</span>
              </li>
            ))}
            {failed > problems.length && (
              <li className={styles.muted}>
                {counted(failed - problems.length, 'more is', 'more are')} in the file of failed rows.
              </li>
            )}
          </ProblemList>
        </>
      )}
    </div>
  );
}
