import { useEffect, useState } from 'react';
import { download } from '../../data/api/download.ts';
import { askProgress, beginExport, cancelExport } from './export-api.ts';
import { createExportRunner, type RunningExport } from './export-runner.ts';

/** How often the window asks for the progress. */
const pollMs = 250;

/** One export at a time for a tab. It runs in the background, and a strip in the tab shows its progress. */
export function useExport() {
  const [current, setCurrent] = useState<RunningExport | null>(null);
  const [runner] = useState(() =>
    createExportRunner(
      {
        begin: beginExport,
        progress: askProgress,
        cancel: cancelExport,
        download,
        pause: () => new Promise((resolve) => setTimeout(resolve, pollMs)),
      },
      setCurrent,
    ),
  );
  useEffect(() => runner.leave, [runner]);
  return {
    current,
    isRunning: current?.state === 'running',
    start: runner.start,
    cancel: runner.cancel,
    tryAgain: runner.tryAgain,
    exportAnyway: runner.exportAnyway,
    dismiss: () => setCurrent(null),
  };
}

export type Export = ReturnType<typeof useExport>;
