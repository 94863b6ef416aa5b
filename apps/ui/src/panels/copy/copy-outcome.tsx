import { ProgressBar } from '../../controls/loading/progress-bar.tsx';
import { ProblemList } from '../../controls/marks/problem-list.tsx';
import { firstNames } from '../../controls/text/counted.ts';
import { sentences } from '../../controls/text/sentences.ts';
import { ApiError } from '../../data/api/api.ts';
import type { JobOf } from '../../data/jobs/use-jobs.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import styles from './copy.module.css';
import { checkWords, problemLines } from './copy-words.ts';

/** The progress of a running copy, or the result of the copy and of its check. */
export function CopyOutcome({ job }: { job: JobOf<'copy'> }) {
  const { outcome, progress, detail } = job;
  const { done, total, words } = progress;
  if (!outcome) return <ProgressBar label="Copy" {...{ total, done, words }} figures={words} />;
  const { report } = detail;
  if (!outcome.canContinue && outcome.how !== 'complete') {
    // The copy ended before it sent a row.
    return outcome.error ? <ErrorNote error={new ApiError(outcome.error)} /> : <p>{earlyCancelWords}</p>;
  }
  if (!report) {
    return (
      <Note level="warning">
        <p>
          <strong>{outcome.words}.</strong> {words && `${words}.`}
        </p>
        <p>
          Trestle stopped during the copy. Continue it to copy the remaining rows. No row is stored twice.
        </p>
      </Note>
    );
  }
  const listed = problemLines(report);
  return (
    <div className={styles.result}>
      <Note level={outcome.how === 'complete' ? 'info' : 'warning'}>
        <p>
          <strong>{outcome.words}.</strong> {words}.
        </p>
        {report.error && <p>{sentences(report.error.message, report.error.hint)}</p>}
        {report.ended === 'complete' ? (
          <p>{checkWords(report)}</p>
        ) : (
          <p>Continue the copy to copy the remaining rows. No row is stored twice.</p>
        )}
        {report.unavailable.length > 0 && (
          <p>Tenants left out, since they could not be read: {firstNames(report.unavailable, 20)}.</p>
        )}
      </Note>
      {listed.length > 0 && (
        <ProblemList label="Rows with problems">
          {listed.map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tenants may have the same problem with the same key
            <li key={index}>{problem}</li>
          ))}
        </ProblemList>
      )}
    </div>
  );
}

const earlyCancelWords =
  'The copy was cancelled before it sent a row. The new table may already exist, without rows.';
