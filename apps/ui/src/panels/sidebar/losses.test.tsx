import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Losses } from './losses.tsx';

test('if a deletion loses no data, as with a view, no list is shown', () => {
  expect(renderToStaticMarkup(<Losses lines={[]} />)).toBe('');
  const lines = [{ count: '3', words: 'rows of moons, with all values' }];
  expect(renderToStaticMarkup(<Losses lines={lines} />)).toContain('rows of moons, with all values');
});
