import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { InspectedProperty, InspectedRow } from './inspected-row.ts';
import { VectorSection } from './vector-section.tsx';

const property = { name: 'vector', type: 'vector', unset: '', isPending: false } as InspectedProperty;

function shown(state: InspectedRow['state']): string {
  const row = { id: 'a', state, properties: [property] } as unknown as InspectedRow;
  const rest = { activeColumn: undefined, onStage: () => {}, onOpenReference: () => {} };
  return renderToStaticMarkup(<VectorSection row={row} {...rest} />);
}

test('a new row shows “Made when the row is saved”, and a row that is gone shows “This row has no vector”', () => {
  expect(shown('inserted')).toContain('Made when the row is saved');
  // A row that was deleted after the map was drawn.
  expect(shown(undefined)).toContain('This row has no vector');
});
