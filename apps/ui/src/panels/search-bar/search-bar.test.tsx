import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SearchBar } from './search-bar.tsx';
import { newSearchDraft } from './search-draft.ts';

test('if the vector of the draft no longer exists, the bar shows the first vector', () => {
  const support = { modes: [{ mode: 'near_text' as const }], targetVectors: ['first', 'second'] };
  const nothing = () => {};
  const bar = renderToStaticMarkup(
    <SearchBar
      support={support}
      draft={{ ...newSearchDraft(support), targetVector: 'gone' }}
      searched={null}
      error={null}
      onDraft={nothing}
      onSearch={nothing}
      onClear={nothing}
      onLeave={nothing}
    />,
  );
  expect(bar).not.toContain('gone');
  expect(bar).toContain('first');
});
