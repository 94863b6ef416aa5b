import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rowId } from '@trestle/core/staged-edits';
import { packWire } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../packages/core/src/storage/migrations.ts';
import { openWindow } from '../faults/window-client.ts';
import { startApp, type TestApp } from './app.ts';
import { browserPath, launchBrowser, needsBrowser, openPage } from './browser.ts';
import { gridOf } from './grid.ts';

/** Edits as an earlier version stored them: steps had no id, and edits had only these three parts. */
function oldEdits(): string {
  const key = { id: 1 };
  const edits = {
    steps: [
      { kind: 'edit', cells: [{ row: rowId(key), key, column: 'name', cell: 'Hermes', from: 'Mercury' }] },
      { kind: 'insert', row: 'new 1', values: { name: 'Vulcan' } },
    ],
    undone: [],
    failures: {},
  };
  return Buffer.from(packWire(edits)).toString('base64');
}

function oldWorkspace(connectionId: string) {
  const view = { offset: 0, staged: oldEdits(), stagedCount: 2 };
  return {
    open: [connectionId],
    current: connectionId,
    sidebarWidth: 260,
    tabs: {
      [connectionId]: {
        list: [
          { id: 'a', kind: 'table', table: 'planets', view },
          { id: 'b', kind: 'query', number: 1, text: 'SELECT 42', showHistory: false },
        ],
        active: 'a',
        closed: [],
      },
    },
  };
}

/** Changes the database back to the version that stored the workspace as one record. */
function makeOld(app: TestApp, workspace: unknown): void {
  const version = migrations.findIndex((step) => step.includes('CREATE TABLE window_records'));
  const database = new DatabaseSync(join(app.folder, 'trestle.db'));
  database.exec(`DROP TABLE window_records; DROP TABLE removals; DROP TABLE kept_maps; DROP TABLE copies;
    DROP TABLE spent_rows; DROP TABLE endpoint_approvals; DROP TABLE staged_commands; DROP TABLE staged_lists;
    ALTER TABLE history DROP COLUMN cut_from; ALTER TABLE history DROP COLUMN token_id;
    ALTER TABLE connections DROP COLUMN word; PRAGMA user_version = ${version}`);
  database
    .prepare("INSERT INTO ui_state (key, value) VALUES ('workspace', ?)")
    .run(JSON.stringify(workspace));
  database.close();
}

test.skipIf(!browserPath)(
  `the workspace of an earlier version is restored, with its staged edits${needsBrowser}`,
  async () => {
    const app = await startApp();
    onTestFinished(() => app.close());
    const { id } = await app.sample();
    await app.stop();
    makeOld(app, oldWorkspace(id));
    await app.start();
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { page, problems } = await openPage(browser, app);
    page.setDefaultTimeout(45_000);
    await page.getByRole('tab', { name: 'planets' }).waitFor();
    await page.getByRole('tab', { name: 'Query 1' }).waitFor();
    const staged = page.getByRole('region', { name: 'Unsaved changes' });
    await staged.getByText('1 edited, 1 new').waitFor();
    const grid = gridOf(page, 'Rows of planets');
    await expect.poll(() => grid.texts('name')).toContain('Hermes');
    await expect.poll(() => grid.texts('name')).toContain('Vulcan');

    // The workspace is split into records now, and the old record is gone.
    const window = await openWindow(app);
    const keys = async () => (await window.call('records.all')).map(({ key }: { key: string }) => key);
    await expect.poll(keys).not.toContain('workspace');
    expect((await keys()).sort()).toEqual(['layout', `tab/${id}/a`, `tab/${id}/b`]);
    expect(await window.call('records.staged')).toEqual([{ connectionId: id, table: 'planets', count: 2 }]);
    await page.reload();
    await staged.getByText('1 edited, 1 new').waitFor();
    await page.getByRole('tab', { name: 'Query 1' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Query 1' }).getByText('SELECT 42').waitFor();
    expect(problems).toEqual([]);
  },
);
