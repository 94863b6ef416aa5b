import { expect, test } from 'vitest';
import { compareRows, keptNeighbours, newScan, type ScannedRow } from './scan.ts';

const row = (id: string): ScannedRow => ({ id, key: { id }, title: id });

function readRows(count: number) {
  const scan = newScan();
  for (let at = 0; at < count; at++) {
    scan.rows.set(`r${at}`, row(`r${at}`));
    scan.compared.push(`r${at}`);
  }
  return scan;
}

const options = { atOnce: 3, signal: new AbortController().signal, onProgress: () => {} };

test('each row keeps its nearest rows without itself, and a row that only a search found is added to the scan', async () => {
  const scan = readRows(2);
  const nearest = async ({ id }: ScannedRow) => [
    { ...row(id), distance: 0 },
    ...Array.from({ length: 12 }, (_, at) => ({ ...row(`other ${at}`), distance: at / 10 })),
  ];
  await compareRows(scan, { ...options, nearest });
  expect(scan.near.get('r0')).toHaveLength(keptNeighbours);
  expect(scan.near.get('r0')?.[0]).toEqual({ id: 'other 0', distance: 0 });
  expect(scan.rows.get('other 3')?.title).toBe('other 3');
});

test('a limited number of searches run at once, and every row is compared', async () => {
  const scan = readRows(20);
  let running = 0;
  let most = 0;
  const progress: number[] = [];
  const nearest = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return [];
  };
  await compareRows(scan, { ...options, nearest, onProgress: (done) => progress.push(done) });
  expect(most).toBe(3);
  expect(progress).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});

test('a row that cannot be compared counts as failed, and the other rows are compared', async () => {
  const scan = readRows(5);
  const nearest = async ({ id }: ScannedRow) => {
    if (id === 'r2') throw new Error('r2 is gone');
    return [];
  };
  await compareRows(scan, { ...options, nearest });
  expect(scan.near.size).toBe(4);
  expect(scan.failed).toEqual({ count: 1, reason: 'r2 is gone' });
});

test('if every search fails, the comparison soon ends with the error', async () => {
  const scan = readRows(100);
  let asked = 0;
  const nearest = async () => {
    asked += 1;
    throw new Error('No server');
  };
  await expect(compareRows(scan, { ...options, nearest })).rejects.toThrow('No server');
  expect(asked).toBeLessThan(20);
});

test('once the comparison has ended with an error, no further search starts', async () => {
  const scan = readRows(100);
  let asked = 0;
  const nearest = async () => {
    asked += 1;
    if (asked <= 10) throw new Error('No server');
    await new Promise((resolve) => setImmediate(resolve));
    return [];
  };
  await expect(compareRows(scan, { ...options, nearest })).rejects.toThrow('No server');
  const before = asked;
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(before);
});

test('after a cancel no further search starts', async () => {
  const scan = readRows(50);
  const controller = new AbortController();
  let asked = 0;
  const nearest = async () => {
    asked += 1;
    if (asked === 6) controller.abort();
    return [];
  };
  await expect(compareRows(scan, { ...options, signal: controller.signal, nearest })).rejects.toThrow();
  expect(asked).toBe(6);
});
