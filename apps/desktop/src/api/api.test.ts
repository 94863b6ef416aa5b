import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, type Core } from '@trestle/core';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { expect, onTestFinished, test } from 'vitest';
import type { AppInfo } from './app-info.ts';
import { Pages } from './pages.ts';
import { appRouter } from './router.ts';

const window = { door: 'window', isPerson: () => true, unlock: () => {} } as const;

/** Makes a call like the window. Returns the body of the answer. */
async function call(path: string, init?: { input?: unknown; post?: unknown }, core: Partial<Core> = {}) {
  const input = init?.input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(init.input))}`;
  const body = init?.post === undefined ? {} : { method: 'POST', body: JSON.stringify(init.post) };
  const answer = await fetchRequestHandler({
    endpoint: '/api',
    req: new Request(`http://x/api/${path}${input}`, {
      ...body,
      headers: { 'content-type': 'application/json' },
    }),
    router: appRouter,
    createContext: () => ({ core: core as Core, app: {} as AppInfo, window, pages: new Pages() }),
  });
  return answer.json();
}

test('an error of the core arrives with its code, message and hint, and without a stack', async () => {
  const tokens = {
    list() {
      throw new AppError({ code: 'storage_failed', message: 'The disk is full', hint: 'Make room.' });
    },
  } as unknown as Core['tokens'];
  const { error } = await call('tokens.list', {}, { tokens });
  expect(error).toEqual({
    message: 'The disk is full',
    code: expect.any(Number),
    data: {
      code: 'UNPROCESSABLE_CONTENT',
      httpStatus: 422,
      app: { code: 'storage_failed', message: 'The disk is full', hint: 'Make room.' },
    },
  });
});

test('wrong input is answered with a message', async () => {
  const post = { name: ' ', permission: 'readOnly', allowlist: null, expiresAt: null };
  const { error } = await call('tokens.create', { post });
  expect(error.data).toEqual({
    code: 'BAD_REQUEST',
    httpStatus: 400,
    app: { code: 'invalid_argument', message: 'Give the token a name' },
  });
});

test('the file chooser lists folders first, follows links, and leaves out hidden files and broken links', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'zoo'));
  writeFileSync(join(folder, 'a.db'), '');
  writeFileSync(join(folder, '.hidden'), '');
  symlinkSync('zoo', join(folder, 'link'));
  symlinkSync('gone', join(folder, 'broken'));
  const { result } = await call('files.list', { input: { folder } });
  expect(result.data).toEqual({
    folder,
    parent: tmpdir(),
    entries: [
      { name: 'link', path: join(folder, 'link'), isFolder: true },
      { name: 'zoo', path: join(folder, 'zoo'), isFolder: true },
      { name: 'a.db', path: join(folder, 'a.db'), isFolder: false },
    ],
  });
  const missing = await call('files.list', { input: { folder: join(folder, 'none') } });
  expect(missing.error.data.app).toEqual({
    code: 'not_found',
    message: `There is no folder ${join(folder, 'none')}`,
  });
});
