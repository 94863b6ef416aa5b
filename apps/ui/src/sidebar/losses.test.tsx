import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Losses } from './losses.tsx';

test('the deletion of a view shows no empty list of losses', () => {
  expect(renderToStaticMarkup(<Losses lines={[]} />)).toBe('');
  const lines = [{ count: '3', words: 'rows of moons, with all values' }];
  expect(renderToStaticMarkup(<Losses lines={lines} />)).toContain('rows of moons, with all values');
});
