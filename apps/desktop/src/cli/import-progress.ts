import type { ImportCounts } from '@trestle/core';
import { amount } from '@trestle/driver-kit';
import { showProgress } from './output.ts';

/** Shows the progress in one line, which each call overwrites. Prints nothing if the stream is not a terminal. */
export function showImport(rows: number): (counts: ImportCounts) => void {
  const start = performance.now();
  return (counts) => {
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const speed = Math.round(done / Math.max(0.001, (performance.now() - start) / 1000));
    const failed = counts.failed > 0 ? `, ${counts.failed} failed` : '';
    const unknown = counts.unknown > 0 ? `, ${counts.unknown} without an answer` : '';
    const pace = `${done} of ${amount(rows, 'row')}, ${speed} a second`;
    showProgress(`${pace}${failed}${unknown}. Ctrl-C ends the import.`);
  };
}
