import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { atTerminal } from '../app/terminal.ts';
import type { TestApp } from './app.ts';

export const passphrase = 'correct horse battery';

export async function setPassphrase(app: TestApp): Promise<void> {
  const set = await atTerminal(
    app.folder,
    ['passphrase', 'set'],
    [
      ['New passphrase: ', passphrase],
      ['Repeat it: ', passphrase],
    ],
  );
  expect(set.code).toBe(0);
}

/** Opens a second window by a printed link. */
export async function openPrintedLink(own: Page, app: TestApp): Promise<Page> {
  const context = await own
    .context()
    .browser()!
    .newContext({ viewport: { width: 1280, height: 800 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  await page.goto(await app.printLink());
  return page;
}
