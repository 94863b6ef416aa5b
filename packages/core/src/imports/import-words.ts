import type { ImportCounts, ImportReport, JobOutcome, JobProgress } from '../types.ts';

export function importOutcome(report: ImportReport): JobOutcome {
  const failedRows = report.failed + report.unknown;
  return {
    how: howItEnded(report),
    words: reportTitle(report),
    ...(failedRows > 0 && { failedRows }),
    ...(report.error && { error: report.error }),
  };
}

function howItEnded({ ended, failed, unknown }: ImportReport): JobOutcome['how'] {
  if (ended === 'cancelled') return 'cancelled';
  if (ended === 'stopped' || failed > 0) return 'failed';
  return unknown > 0 ? 'unknown' : 'complete';
}

function reportTitle({ ended, failed, unknown }: ImportReport): string {
  if (ended === 'cancelled') return 'The import was cancelled';
  if (ended === 'stopped') return 'The import stopped';
  if (failed > 0) return unknown > 0 ? 'Some rows failed or got no answer' : 'Some rows failed';
  return unknown > 0 ? 'Some rows got no answer' : 'The import is done';
}

/** The count of stored rows, and each other count that is not zero. Rows that were not sent count once it has ended. */
export function importProgress(
  { stored, replaced, existing, failed, unknown }: ImportCounts,
  total: number,
  ended?: ImportReport['ended'],
): JobProgress {
  const so = (count: number) => count.toLocaleString('en');
  const done = stored + replaced + existing + failed + unknown;
  const parts = [
    `${so(stored)} stored`,
    ...(replaced > 0 ? [`${so(replaced)} replaced`] : []),
    ...(existing > 0 ? [`${so(existing)} ${existing === 1 ? 'exists' : 'exist'} already`] : []),
    ...(failed > 0 ? [`${so(failed)} failed`] : []),
    ...(unknown > 0 ? [`${so(unknown)} sent without an answer`] : []),
    ...(ended && done < total ? [`${so(total - done)} not sent`] : []),
  ];
  return { done, total, words: `${parts.join(', ')} of ${so(total)} ${total === 1 ? 'row' : 'rows'}` };
}
