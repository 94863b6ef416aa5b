import { pino } from 'pino';
import { expect, test } from 'vitest';
import { noteDamage } from './damage.ts';

test('a report of damage stays until the user dismisses it, and no sentence is repeated', () => {
  const values = new Map<string, unknown>();
  const uiState = {
    get: (key: string) => values.get(key),
    set: (key: string, value: unknown) => void values.set(key, value),
  } as Parameters<typeof noteDamage>[0]['uiState'];
  const start = (...rows: string[]) =>
    noteDamage({ home: '/home', setAside: null, rows, uiState, log: pino({ level: 'silent' }) });
  const words = (row: string) =>
    `Damaged entries of trestle.db were set aside: ${row}. Check these, and restore what is missing.`;
  start('setting a');
  const second = start('setting b');
  expect(second.found).toBe(words('setting b'));
  expect(second.unread()).toBe(`${words('setting a')} ${words('setting b')}`);
  expect(start('setting b').unread()).toBe(second.unread());
  second.dismiss();
  expect(start('setting c').unread()).toBe(words('setting c'));
});
