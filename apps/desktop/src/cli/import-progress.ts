import type { ImportCounts } from '@trestle/core';
import { amount } from '@trestle/driver-kit';

interface Progress {
  show(counts: ImportCounts): void;
  end(): void;
}

/** One line that is overwritten at a terminal. Prints nothing if the stream is not a terminal. */
export function importProgress(rows: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => {}, end: () => {} };
  const start = performance.now();
  let isShown = false;
  return {
    show(counts) {
      const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const speed = Math.round(done / Math.max(0.001, (performance.now() - start) / 1000));
      const failed = counts.failed > 0 ? `, ${counts.failed} failed` : '';
      const unknown = counts.unknown > 0 ? `, ${counts.unknown} without an answer` : '';
      stream.write(
        `\r\u001b[K${done} of ${amount(rows, 'row')}, ${speed} a second${failed}${unknown}. Ctrl-C ends it.`,
      );
      isShown = true;
    },
    end() {
      if (isShown) stream.write('\r\u001b[K');
    },
  };
}
