import { expect, test } from 'vitest';
import type { ConnectGuide } from '../../data/api/api-types.ts';
import { withToken } from './with-token.ts';

test('the configuration has the secret in place of the placeholder, and the port of the guide', () => {
  const steps = [
    {
      text: 'Add this.',
      snippet: { language: 'json' as const, text: '"http://127.0.0.1:40000", "Bearer <token>"' },
    },
    { text: 'Then call.' },
  ];
  expect(withToken({ id: 'http', steps } as unknown as ConnectGuide, 's3')).toEqual({
    id: 'http',
    steps: [
      { text: 'Add this.', snippet: { language: 'json', text: '"http://127.0.0.1:40000", "Bearer s3"' } },
      { text: 'Then call.' },
    ],
  });
});
