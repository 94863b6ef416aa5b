import { expect, test } from 'vitest';
import type { PendingApproval } from '../../data/api/api-types.ts';
import { exactText, goneWords } from './question-words.ts';

const question: PendingApproval = {
  id: 'q1',
  shortId: '3f2a',
  clientWaits: true,
  kind: 'access',
  connection: { id: 'c1', name: 'Library' },
  driver: 'weaviate, from Example',
  tokenName: 'Laptop',
  clientName: 'editor',
  action: 'browse',
  table: null,
  statement: null,
  ceiling: 'read',
  title: 'Let “editor” use “Library”?',
  may: 'It may read. It cannot change anything.',
  wants: 'Read rows',
  askedAt: '2026-07-01T10:00:00Z',
  expiresAt: '2026-07-01T10:05:00Z',
};

test('control characters and invisible format characters of a statement are shown by their code', () => {
  expect(exactText('DROP TABLE a; -- \u202eelbat\u200b\0\n\tdone – é 🎻')).toBe(
    'DROP TABLE a; -- ⟨U+202E⟩elbat⟨U+200B⟩⟨U+0000⟩\n\tdone – é 🎻',
  );
});

test('the notice about a question that disappeared says why', () => {
  expect(goneWords(question, new Date('2026-07-01T10:01:00Z')).description).toMatch(/withdrawn/);
  expect(goneWords(question, new Date('2026-07-01T10:06:00Z')).description).toMatch(
    /Nobody answered in time/,
  );
});
