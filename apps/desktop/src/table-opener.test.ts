import { expect, test } from 'vitest';
import { createTableOpener, type TableToOpen } from './table-opener.ts';

const table = { connectionId: 'c1', table: 'books' };

test('open pages show the table, even if no window can be brought to the front', async () => {
  const opener = createTableOpener();
  opener.attach(async () => false);
  const heard: TableToOpen[] = [];
  const leave = opener.on((one) => heard.push(one));
  expect(await opener.open(table)).toBe(true);
  expect(heard).toEqual([table]);
  leave();
  expect(await opener.open(table)).toBe(false);
  expect(heard).toHaveLength(1);
});

test('without a page a window is opened, and its page is waited for', async () => {
  const opener = createTableOpener();
  const heard: TableToOpen[] = [];
  opener.attach(async () => {
    setTimeout(() => opener.on((one) => heard.push(one)), 20);
    return true;
  });
  expect(await opener.open(table)).toBe(true);
  expect(heard).toEqual([table]);
});

test('before windows can open, a table cannot be shown', async () => {
  expect(await createTableOpener().open(table)).toBe(false);
});
