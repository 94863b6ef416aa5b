import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ServerProblem } from './server-problem.tsx';

test('a time that is not today is shown with its date', () => {
  const problem = (expiresAt: Date) =>
    renderToStaticMarkup(
      <ServerProblem
        mcp={{
          state: 'running',
          port: 1,
          preferred: 1,
          unheard: { message: 'No space', expiresAt: expiresAt.toISOString() },
        }}
      />,
    );
  expect(problem(new Date(2026, 0, 3, 14, 32))).toContain('Since 3 Jan 2026, 14:32 clients');
  expect(problem(new Date())).toMatch(/Since \d\d:\d\d clients/);
});
