import { ProgressBar } from '../../controls/loading/progress-bar.tsx';
import { ProblemList } from '../../controls/marks/problem-list.tsx';
import { firstNames } from '../../controls/text/counted.ts';
import { sentences } from '../../controls/text/sentences.ts';
import { Note } from '../../data/messages/error-note.tsx';
import styles from './copy.module.css';
import type { KnownCopy } from './copy-queries.ts';
import { checkWords, countWords, isWhole, problemLines } from './copy-words.ts';

/** The progress of a running copy, or the result of the copy and of its check. */
export function CopyOutcome({ copy, title }: { copy: KnownCopy; title: string }) {
  const { state, counts, report } = copy;
  if (state === 'running') return <CopyProgress counts={counts} />;
  if (!report) {
    return (
      <Note level="warning">
        <p>
          <strong>{title}.</strong> {countWords(counts)}.
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
      <Note level={isWhole(report) ? 'info' : 'warning'}>
        <p>
          <strong>{title}.</strong> {countWords(report)}.
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

function CopyProgress({ counts }: { counts: KnownCopy['counts'] }) {
  const isCounted = counts.total > 0;
  return (
    <ProgressBar
      label="Copy"
      total={isCounted ? counts.total : null}
      done={counts.copied + counts.existing + counts.failed + counts.unknown}
      words={countWords(counts)}
      figures={isCounted ? countWords(counts) : 'Making the copy…'}
    />
  );
}
