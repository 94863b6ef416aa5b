import type { CopyCounts, CopyReport, JobOutcome } from '../types.ts';

/** The outcome of a copy that was interrupted has no report: the app ended during the copy. */
export function copyOutcome(report: CopyReport | null): JobOutcome {
  const words = copyTitle(report);
  if (!report) return { how: 'failed', words, canContinue: true };
  const how = howItEnded(report);
  return {
    ...{ how, words, canContinue: how !== 'complete' },
    ...(report.error && { error: report.error }),
  };
}

function howItEnded(report: CopyReport): JobOutcome['how'] {
  if (isWhole(report)) return 'complete';
  if (report.ended === 'cancelled') return 'cancelled';
  return report.ended === 'complete' && report.failed === 0 && report.unknown > 0 ? 'unknown' : 'failed';
}

/** Whether every row of every partition was copied, and no compared row differs. */
export function isWhole(report: CopyReport): boolean {
  const { ended, failed, unknown, different, unavailable, inTarget, total } = report;
  const isEqual = failed + unknown === 0 && different.length === 0 && inTarget >= total;
  // A script that gets exit code 0 may delete the source, so a tenant that could not be read counts too.
  return ended === 'complete' && isEqual && unavailable.length === 0;
}

function copyTitle(report: CopyReport | null): string {
  if (!report) return 'The copy was interrupted';
  if (report.ended === 'cancelled') return 'The copy was cancelled';
  if (report.ended === 'stopped') return 'The copy stopped';
  if (report.failed > 0) return 'Some rows were not copied';
  if (report.unknown > 0) return 'Some rows may not have been copied';
  if (report.unavailable.length > 0) return 'Some tenants were not copied';
  return isWhole(report) ? 'The copy is done' : 'The copy differs from its source';
}

export function countWords({ copied, existing, failed, unknown, total }: CopyCounts): string {
  const so = (count: number) => count.toLocaleString('en');
  const parts = [
    `${so(copied)} of ${so(total)} ${total === 1 ? 'row' : 'rows'} copied`,
    ...(existing > 0 ? [`${so(existing)} ${existing === 1 ? 'was' : 'were'} there already`] : []),
    ...(failed > 0 ? [`${so(failed)} failed`] : []),
    ...(unknown > 0 ? [`${so(unknown)} sent without an answer`] : []),
  ];
  return parts.join(', ');
}
