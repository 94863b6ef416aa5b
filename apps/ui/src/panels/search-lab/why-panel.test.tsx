import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { SearchExplanation } from '@trestle/driver-kit';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { newColumn } from './comparison.ts';
import { WhyPanel } from './why-panel.tsx';

function textOf(explanation: SearchExplanation): string {
  const row = { key: '1', title: 'Moon River', detail: '', value: 0.9, explanation };
  const results = { rows: [row], kept: 1, isDistance: false } as never;
  const panel = (
    <WhyPanel
      connectionId="c"
      within={{ table: 'Song', filters: [], match: 'all' }}
      rowKey="1"
      text="moon river"
      columns={[{ column: newColumn('hybrid'), results }]}
      onClose={() => {}}
    />
  );
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>{panel}</QueryClientProvider>,
  );
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

const moon = { term: 'moon', column: 'title', count: 2 };

test('the words of the row are named with their columns, and so are the words that it lacks', () => {
  expect(textOf({ terms: [moon], keyword: { share: 0.25 }, vector: { share: 0.65 } })).toContain(
    'moon title ×2 No match for “river”. 0.250 from words, 0.650 from meaning.',
  );
});

test('columns whose words are not known are named, and then no word is said to be missing', () => {
  const text = textOf({ terms: [moon], unknown: ['korean'] });
  expect(text).toContain('Words in korean: not known.');
  expect(text).not.toContain('No match');
});
