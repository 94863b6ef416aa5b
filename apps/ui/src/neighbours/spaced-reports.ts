/**
 * Forwards the latest of many reports, at most one per interval (in milliseconds). The last report is always
 * forwarded.
 */
export function spacedReports<Report>(everyMs: number, pass: (report: Report) => void) {
  let latest: Report | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const report = latest;
    latest = undefined;
    if (report !== undefined) pass(report);
  };
  return {
    add(report: Report) {
      latest = report;
      timer ??= setTimeout(flush, everyMs);
    },
    flush,
    stop() {
      clearTimeout(timer);
      latest = undefined;
    },
  };
}
