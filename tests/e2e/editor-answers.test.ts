import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { press } from './browser.ts';
import { journey, refusedRequest } from './journey.ts';
import { serverKey, weaviateServers } from './weaviate-servers.ts';

for (const { name, start } of weaviateServers) {
  journey(
    `the editor shows the status and time of a REST answer of ${name}, and of a refused one`,
    async ({ page, app }) => {
      const server = await start();
      onTestFinished(() => server.stop());
      const fields = { host: '127.0.0.1', port: server.port, authMethod: 'apiKey', apiKey: serverKey };
      const file = join(app.folder, 'cluster.json');
      writeFileSync(file, JSON.stringify({ connections: [{ name: 'Cluster', driver: 'weaviate', fields }] }));
      await app.json('connections', 'import', file);
      await press(page.getByRole('button', { name: /^Cluster/ }));
      await page
        .getByRole('complementary')
        .getByText(/^Weaviate \d/)
        .waitFor();
      await page.keyboard.press('Alt+n');
      const editor = page.getByRole('textbox', { name: 'Query 1' });
      await editor.waitFor();
      const results = page.getByRole('region', { name: 'Results' });
      const run = async (text: string) => {
        await editor.focus();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(text);
        await page.keyboard.press('ControlOrMeta+Enter');
      };
      await run('GET /meta');
      const status = results.getByRole('status');
      await expect.poll(() => status.textContent()).toMatch(/^HTTP 200\d+(\.\d)? (ms|s)$/);
      await run('GET /objects/Nothing/00000000-0000-4000-8000-000000000000');
      await expect.poll(() => results.getByRole('alert').textContent()).toMatch(/\(HTTP 4\d\d\)|HTTP 4\d\d/);
      await expect.poll(() => status.textContent()).toMatch(/^Failed\d+(\.\d)? (ms|s)$/);
    },
    { allow: refusedRequest },
  );
}
