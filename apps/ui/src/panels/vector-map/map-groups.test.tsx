import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MapGroups } from './map-groups.tsx';

const list = (isDone: boolean) =>
  renderToStaticMarkup(<MapGroups groups={[]} isDone={isDone} onShow={() => {}} />);

test('until the map is done, the list does not say that there are no groups', () => {
  expect(list(true)).toContain('No group stands out');
  expect(list(false)).not.toContain('No group stands out');
  expect(list(false)).toContain('Groups appear when the map is finished');
});
