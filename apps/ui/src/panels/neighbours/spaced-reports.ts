/**
 * Forwards the latest of many reports, one per interval (in milliseconds). `flush` forwards it at once. After `stop`
 * no report is forwarded.
 */
export function spacedReports<Report>(everyMs: number, pass: (report: Report) => void) {
  let latest: Report | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const report = latest;
    latest = undefined;
    if (report !== undefined) pass(report);
  };
  return {
    add(report: Report) {
      if (isStopped) return;
      latest = report;
      timer ??= setTimeout(flush, everyMs);
    },
    flush,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      latest = undefined;
    },
  };
}
