import { expect, test } from 'vitest';
import { filterOperators, operatorArity, splitList } from './filter.ts';

test.each<[string, string[]]>([
  ['', []],
  ['  ', []],
  ['a', ['a']],
  ['a, b ,c', ['a', 'b', 'c']],
  ['a,,b', ['a', '', 'b']],
  ['"a, b", c', ['a, b', 'c']],
  [' "  kept  " ,\t"x"\n, y', ['  kept  ', 'x', 'y']],
  ['"say ""hi""", b', ['say "hi"', 'b']],
  ['""', ['']],
  ['"", a', ['', 'a']],
  ['O"Neil, 5\'', ['O"Neil', "5'"]],
])('the list %j has the values %j', (text, values) => {
  expect(splitList(text)).toEqual(values);
});

test.each(['"a', 'a, "b', '"a"b'])('the list %j is refused', (text) => {
  expect(() => splitList(text)).toThrow(SyntaxError);
});

test('values with commas, quotes or spaces survive quoting', () => {
  const values = ['', ',', '"', '""', ' a ', 'x,"y"', '\n'];
  expect(splitList(values.map((value) => `"${value.replaceAll('"', '""')}"`).join(', '))).toEqual(values);
});

test('every operator has an arity', () => {
  expect(Object.groupBy(filterOperators, operatorArity)).toMatchObject({
    none: ['is_null', 'is_not_null', 'is_empty', 'is_not_empty'],
    two: ['between'],
    list: ['in_list', 'not_in_list'],
  });
});
