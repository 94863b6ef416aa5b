import type { ColumnDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { toChanges } from './plain-changes.ts';

const id = { name: 'id', type: 'int', inKey: true } as ColumnDescription;
const columns = new Map([['id', id]]);

test('an integer that JSON may have rounded is refused; as text it is exact', () => {
  const rounded = JSON.parse('{"id": 9007199254740993}');
  for (const wanted of [
    { delete: [rounded] },
    { insert: [rounded] },
    { update: [{ key: rounded, values: {} }] },
  ]) {
    expect(() => toChanges(wanted, columns)).toThrow('may have been rounded');
  }
  const untyped = new Map([['id', { ...id, type: 'any' } as ColumnDescription]]);
  expect(() => toChanges({ delete: [rounded] }, untyped)).toThrow('may have been rounded');
  const [exact] = toChanges({ delete: [{ id: '9007199254740993' }] }, columns);
  expect(exact).toMatchObject({ key: { id: 9007199254740993n } });
});

test('a missing key column named constructor is not read from Object.prototype', () => {
  const keyed = new Map(['a', 'constructor'].map((name) => [name, { ...id, name }]));
  expect(toChanges({ delete: [{ a: 1 }] }, keyed)).toEqual([{ kind: 'delete', id: '0', key: null }]);
});
