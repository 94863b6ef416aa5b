import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { newScan } from './scan.ts';
import { ThresholdStrip } from './threshold-strip.tsx';

function strip(...distances: number[]): string {
  const scan = newScan();
  for (const [at, distance] of distances.entries()) scan.near.set(`r${at}`, [{ id: 'other', distance }]);
  return renderToStaticMarkup(
    <ThresholdStrip scan={scan} threshold={distances[0]!} pairs={1} onThreshold={() => {}} />,
  );
}

test('the smallest threshold is 0, or negative if distances are negative', () => {
  expect(strip(0.2, 0.4)).toMatch(/type="number"[^>]* min="0"/);
  expect(strip(0.2, 0.4)).toMatch(/ min="0"[^>]* type="range"/);
  expect(strip(-0.98, -0.58)).not.toMatch(/type="number"[^>]* min=/);
  expect(strip(-0.98, -0.58)).toMatch(/ min="-0.98[^>]* type="range"/);
});
