import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { openWindow } from '../faults/window-client.ts';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, openTable } from './journey.ts';
import { addLibrary, connectClient, textOf } from './mcp-client.ts';

const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
const endless = `${numbers} SELECT count(*) FROM n, books`;

/** Whether a process holds a lock on this file that blocks writes. */
function isHeld(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

journey(
  "a client's endless statement does not block the user's reads, and the user's save ends only that statement",
  async ({ page, app }) => {
    const file = await addLibrary(app, { aiPolicy: 'alwaysAllow' });
    await (await openWindow(app)).call('settings.update', { statementTimeoutSeconds: 300 });
    const { call } = await connectClient(app, { permission: 'readWrite' });
    const query = { connection_id: 'Library', query: endless };
    const running = call('execute_query', query);
    await expect.poll(() => isHeld(file), { timeout: 30_000 }).toBe(true);
    const waiting = call('browse_table', { connection_id: 'Library', table: 'books' });

    await press(page.getByRole('button', { name: /^Library/ }));
    await page.getByRole('button', { name: 'Table books' }).waitFor();
    await openTable(page, 'books');
    const grid = gridOf(page, 'Rows of books');
    await expect.poll(() => grid.texts('title')).toEqual(['Emma', 'Ulysses', 'Dubliners']);
    // The client's statement is still running.
    expect(isHeld(file)).toBe(true);

    await grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Persuasion');
    await page.keyboard.press('Enter');
    await page.getByText('1 edited').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    const ended = await running;
    expect(ended.isError).toBe(true);
    expect(textOf(ended)).toMatch(/The user needed this database while it was locked, so .* was ended/);
    // The client's second call runs now, and sees the row that the user saved.
    expect(textOf(await waiting)).toContain('Persuasion');
    expect(await grid.texts('title')).toEqual(['Persuasion', 'Ulysses', 'Dubliners']);
  },
);
