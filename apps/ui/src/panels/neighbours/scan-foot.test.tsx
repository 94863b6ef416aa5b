import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { newScan } from './scan.ts';
import { ScanFoot } from './scan-foot.tsx';

test('rows that could not be compared are not counted as compared', () => {
  const compared = Array.from({ length: 100 }, (_, at) => `r${at}`);
  const scan = { ...newScan(), compared, failed: { count: 5, reason: 'gone' } };
  const known = { stage: 'done' as const, scan, compared: 100, more: false };
  const nothing = () => {};
  const run = {
    state: known,
    isWaiting: false,
    begin: nothing,
    beginNext: nothing,
    cancel: nothing,
    again: nothing,
  };
  const foot = renderToStaticMarkup(
    <ScanFoot known={known} run={run} total={100} method="" more={undefined} />,
  );
  expect(foot).toContain('95 of 100 rows compared');
  expect(foot).toContain('5 could not be compared: gone');
});
