import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { aboutColumn } from './column-words.ts';
import { newColumn } from './comparison.ts';
import { WeightFields } from './weight-fields.tsx';

const support = {
  modes: [],
  targetVectors: ['first', 'second'],
  options: { keywordColumns: ['title', 'note'] },
};

test('if the table has none of the saved columns, all columns are checked, because the search uses all columns', () => {
  const column = { ...newColumn('keyword'), keywordColumns: [{ column: 'gone', weight: 2 }] };
  const fields = renderToStaticMarkup(<WeightFields column={column} support={support} onChange={() => {}} />);
  expect(fields.match(/aria-checked="true"/g)).toHaveLength(2);
});

test('if the saved target vector no longer exists, the first vector is named', () => {
  const column = { ...newColumn('near_text'), targetVector: 'gone' };
  expect(aboutColumn(column, support)).toBe('distance by first');
  expect(aboutColumn({ ...column, targetVector: 'second' }, support)).toBe('distance by second');
});
