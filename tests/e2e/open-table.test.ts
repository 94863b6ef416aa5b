import { expect, test } from 'vitest';
import { startApp } from './app.ts';
import { sharedJourney } from './journey.ts';
import { addLibrary, connectClient, textOf } from './mcp-client.ts';

const books = { connection_id: 'Library', table: 'books' };

sharedJourney('a client shows a table in the window', async ({ page, app }) => {
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  await addLibrary(app, { aiPolicy: 'alwaysAllow' });
  await page.getByRole('button', { name: /^Library/ }).waitFor();
  const { call } = await connectClient(app);
  const shown = await call('open_table_tab', books);
  expect(shown.isError).toBeFalsy();
  await page.getByRole('grid', { name: 'Rows of books' }).waitFor();
  await page.getByText('Ulysses').waitFor();
});

test('without a window, a call to show a table fails', async () => {
  const app = await startApp();
  try {
    await addLibrary(app, { aiPolicy: 'alwaysAllow' });
    const { call } = await connectClient(app);
    expect(textOf(await call('open_table_tab', books))).toMatch('unsupported: Trestle has no window');
  } finally {
    await app.close();
  }
});
