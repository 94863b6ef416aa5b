import { type ColumnDescription, cutCell, type Filter, maxCellBytes } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import {
  appliedDrafts,
  draftOf,
  filterForCell,
  filterNamedIn,
  isApplied,
  moveDraft,
  newDraft,
  readDraft,
  refusedFilter,
  sameFilters,
  withoutDraft,
} from './filter-draft.ts';

const name: ColumnDescription = {
  name: 'name',
  type: 'text',
  nativeType: 'TEXT',
  nullable: true,
  inKey: false,
  operators: [
    { operator: 'regex', refusal: 'Weaviate has no REGEX' },
    { operator: 'equals' },
    { operator: 'contains' },
    { operator: 'in_list' },
    { operator: 'is_null', refusal: 'The collection needs indexNullState' },
  ],
};
const mass: ColumnDescription = {
  ...name,
  name: 'mass',
  type: 'number',
  operators: [{ operator: 'equals' }, { operator: 'between' }],
};

test('a new filter starts with an operator that runs: contains for text, otherwise the first', () => {
  expect(newDraft(name, 'a')).toEqual({
    id: 'a',
    column: 'name',
    operator: 'contains',
    value: '',
    upper: '',
    off: false,
    at: null,
  });
  expect(newDraft(mass, 'a').operator).toBe('equals');
});

test('a draft that moves to another column keeps its operator only if that column supports it', () => {
  const draft = { ...newDraft(name, 'a'), value: '5' };
  expect(moveDraft(draft, mass)).toMatchObject({ column: 'mass', operator: 'equals', value: '5' });
  expect(moveDraft({ ...draft, operator: 'equals' }, mass)).toMatchObject({ operator: 'equals' });
});

test('a draft becomes a filter, or its problem is named', () => {
  const draft = newDraft(mass, 'a');
  expect(readDraft(draft, mass)).toEqual({ ok: false, problem: 'Enter a value' });
  expect(readDraft({ ...draft, operator: 'between', value: '1' }, mass)).toEqual({
    ok: false,
    problem: 'Enter both bounds',
  });
  expect(readDraft({ ...draft, operator: 'between', value: '1', upper: '2' }, mass)).toEqual({
    ok: true,
    filter: { column: 'mass', operator: 'between', value: ['1', '2'] },
  });
  expect(readDraft({ ...draft, column: 'name', operator: 'regex' }, name)).toEqual({
    ok: false,
    problem: 'Weaviate has no REGEX',
  });
  expect(readDraft({ ...draft, column: 'name', operator: 'in_list', value: '"a' }, name)).toEqual({
    ok: false,
    problem: 'The list has an opening quote without a closing one',
  });
  expect(readDraft(draft, undefined).ok).toBe(false);
});

test('a text may be compared with the empty text', () => {
  expect(readDraft({ ...newDraft(name, 'a'), operator: 'equals' }, name)).toEqual({
    ok: true,
    filter: { column: 'name', operator: 'equals', value: '' },
  });
});

test('a draft counts as applied if an applied filter has the same value, as a number or as text', () => {
  const read = readDraft({ ...newDraft(mass, 'a'), value: '5' }, mass);
  expect(isApplied(read, [{ column: 'mass', operator: 'equals', value: 5 }])).toBe(true);
  expect(isApplied(read, [{ column: 'mass', operator: 'equals', value: 6 }])).toBe(false);
  expect(isApplied({ ok: false, problem: '' }, [])).toBe(false);
});

test('a list typed as text counts as applied if an applied filter has the same values in an array', () => {
  const filter = { column: 'name', operator: 'in_list', value: ['a', 'b, c'] } satisfies Filter;
  const read = readDraft(draftOf({ filter, off: false }, 'a', 0), name);
  expect(isApplied(read, [filter])).toBe(true);
  expect(isApplied(read, [{ ...filter, value: ['a'] }])).toBe(false);
});

test('if a draft is removed or cannot be read, the index of each later draft drops by one', () => {
  const entry = (value: string) => ({
    filter: { column: 'mass', operator: 'equals', value } satisfies Filter,
    off: false,
  });
  const drafts = ['1', '2', '3'].map((value, at) => draftOf(entry(value), value, at));
  const indexes = (some: typeof drafts) => some.map(({ id, at }) => [id, at]);
  expect(indexes(withoutDraft([...drafts, newDraft(mass, 'new')], '2'))).toEqual([
    ['1', 0],
    ['3', 1],
    ['new', null],
  ]);
  const edited = drafts.map((draft) => (draft.id === '1' ? { ...draft, value: '', off: true } : draft));
  const reads = edited.map((draft) => readDraft(draft, mass));
  expect(indexes(appliedDrafts(edited, reads))).toEqual([
    ['1', null],
    ['2', 0],
    ['3', 1],
  ]);
});

test('a stored filter can be edited again', () => {
  expect(
    draftOf({ filter: { column: 'mass', operator: 'between', value: [1, 2] }, off: true }, 'a', 0),
  ).toMatchObject({
    value: '1',
    upper: '2',
    off: true,
  });
  const list = { column: 'name', operator: 'in_list', value: ['a', 'b, c'] } satisfies Filter;
  expect(draftOf({ filter: list, off: false }, 'a', 0)).toMatchObject({
    value: 'a, "b, c"',
  });
  expect(draftOf({ filter: { ...list, value: [''] }, off: false }, 'a', 0).value).toBe('""');
});

test('a cell becomes a filter for its value, or a reason why it cannot be filtered', () => {
  expect(filterForCell(mass, 9007199254740993n)).toEqual({
    ok: true,
    filter: { column: 'mass', operator: 'equals', value: '9007199254740993' },
  });
  expect(filterForCell(name, '')).toEqual({
    ok: true,
    filter: { column: 'name', operator: 'equals', value: '' },
  });
  expect(filterForCell(name, null)).toEqual({ ok: false, problem: 'The collection needs indexNullState' });
  expect(filterForCell(mass, null)).toEqual({
    ok: false,
    problem: 'mass does not take the operator “is NULL”',
  });
  expect(filterForCell(name, [1]).ok).toBe(false);
  expect(filterForCell(name, cutCell('x'.repeat(maxCellBytes + 1))).ok).toBe(false);
});

test('an error belongs to the filter that it names, and to no filter if the filter is unclear', () => {
  const year: Filter = { column: 'year', operator: 'equals', value: 'x' };
  const title: Filter = { column: 'title', operator: 'contains', value: 'the' };
  const upper: Filter = { column: 'year', operator: 'less_than', value: '3' };
  const message = 'Filter on year: Expected a whole number such as 42';
  expect(filterNamedIn(message, [title, year])).toBe(year);
  expect(filterNamedIn(message, [title])).toBeNull();
  expect(filterNamedIn(message, [year, upper])).toBeNull();
  expect(filterNamedIn('The filter on year (less than) cannot run', [year, upper])).toBe(upper);
  expect(filterNamedIn('Filter on yearly: no', [year])).toBeNull();
  expect(filterNamedIn('title and year do not go together', [year, title])).toBeNull();
});

test('a single filter that could not run is the refused one, even if the message does not name it', () => {
  const year: Filter = { column: 'year', operator: 'is_null' };
  const error = { code: 'filter_unrunnable', message: 'The collection does not index NULL' };
  expect(refusedFilter(error, [year])).toBe(year);
  expect(refusedFilter({ ...error, code: 'invalid_argument' }, [year])).toBeNull();
  expect(refusedFilter(error, [year, { column: 'title', operator: 'is_null' }])).toBeNull();
});

test('filters are the same whether a value is a number or its text', () => {
  const five: Filter = { column: 'mass', operator: 'equals', value: '5' };
  expect(sameFilters([five], [{ column: 'mass', operator: 'equals', value: 5 }])).toBe(true);
  expect(sameFilters([five], [])).toBe(false);
});
