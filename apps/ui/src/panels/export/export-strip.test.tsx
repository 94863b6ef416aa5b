import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ExportStrip } from './export-strip.tsx';

test('the text of an export that was cancelled before its first row does not mention a file', () => {
  const nothing = () => {};
  const strip = (rows: number) => {
    const current = { state: 'cancelled' as const, rows, total: 3 };
    const calls = {
      start: () => true,
      cancel: nothing,
      exportAnyway: () => {},
      tryAgain: nothing,
      dismiss: nothing,
    };
    const exporting = { current, isRunning: false, ...calls };
    return renderToStaticMarkup(<ExportStrip exporting={exporting} />);
  };
  expect(strip(0)).toContain('>Export cancelled<');
  expect(strip(2)).toContain('Export cancelled after 2 rows; the file is not complete');
});
