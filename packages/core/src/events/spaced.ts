/**
 * Reports the first change immediately and later ones together, at most once per interval. An import may store hundreds
 * of batches, and a window reads its table again after each report. The last change is reported too.
 */
export function spaced(report: () => void, intervalMs = 1000): () => void {
  let isResting = false;
  let isDue = false;
  return function change() {
    if (isResting) {
      isDue = true;
      return;
    }
    isResting = true;
    report();
    setTimeout(() => {
      isResting = false;
      if (!isDue) return;
      isDue = false;
      change();
    }, intervalMs).unref();
  };
}
