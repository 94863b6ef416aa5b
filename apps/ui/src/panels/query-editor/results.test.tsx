import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ApiError } from '../../data/api/api.ts';
import { ConnectionDown } from '../../data/messages/connection-down.ts';
import { Failure } from './results.tsx';

function shown(code: string, down: 'lost' | 'failed' | null): string {
  const error = new ApiError({ code, message: 'It failed', hint: 'Check whether it ran.' });
  return renderToStaticMarkup(
    <ConnectionDown value={down}>
      <Failure error={error} />
    </ConnectionDown>,
  );
}

test('a statement that timed out keeps its own error and hint when the connection goes down later', () => {
  for (const down of ['lost', 'failed', null] as const) {
    expect(shown('timeout', down)).toContain('It failed');
    expect(shown('timeout', down)).toContain('Check whether it ran.');
  }
});

test('the message says “The statement did not run” only if the statement cannot have run', () => {
  expect(shown('authentication_failed', 'failed')).toContain('The statement did not run');
  expect(shown('not_connected', 'failed')).toContain('The statement did not run');
  expect(shown('connection_failed', 'failed')).toContain('Check whether it ran.');
  expect(shown('connection_failed', 'lost')).toContain('No answer came');
});
