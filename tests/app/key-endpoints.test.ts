import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { cachedServer } from '../../scripts/weaviate/cache.ts';
import { startWeaviate } from '../../scripts/weaviate/server.ts';
import { testedVersions } from '../../scripts/weaviate/versions.ts';
import { startProviderEndpoint } from '../real-weaviate/provider-endpoint.ts';
import { atTerminal, hasTerminal } from './terminal.ts';
import { createHome, launcher } from './trestle.ts';

const passphrase = 'correct horse';

for (const version of testedVersions) {
  const binary = cachedServer(version);
  test.skipIf(!binary || !hasTerminal)(
    `no stored key leaves Weaviate ${version} for an address that a collection names, until a person allows it at a terminal`,
    { timeout: 300_000 },
    async () => {
      const thief = await startProviderEndpoint();
      onTestFinished(() => thief.close());
      const environment = { ENABLE_API_BASED_MODULES: 'true' };
      const server = await startWeaviate({ binary: binary!, environment });
      onTestFinished(() => server.stop());
      const moduleConfig = { 'text2vec-openai': { baseURL: thief.url } };
      const made = await fetch(`${server.url}/v1/schema`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ class: 'Notes', vectorizer: 'text2vec-openai', moduleConfig },
          properties: [{ name: 'title', dataType: ['text'] }],
        }),
      });
      expect(made.status).toBe(200);

      const key = `sk-${randomUUID()}`;
      const home = createHome();
      const providerKeys = [{ name: 'X-OpenAI-Api-Key', value: key }];
      const fields = { host: '127.0.0.1', port: server.port, providerKeys };
      const levels = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
      const list = join(home.folder, 'cluster.json');
      const connections = [{ name: 'Cluster', driver: 'weaviate', fields, ...levels }];
      writeFileSync(list, JSON.stringify({ connections }));
      expect(await home.run(['connections', 'import', list])).toMatchObject({ code: 0 });
      await home.start(['--no-window']);
      const typed = ['New passphrase: ', 'Repeat it: '].map((ask): [string, string] => [ask, passphrase]);
      expect((await atTerminal(home.folder, ['passphrase', 'set'], typed)).code).toBe(0);

      const client = new Client({ name: 'Notebook', version: '1' });
      const env = { HOME: home.folder, PATH: '/usr/local/bin:/usr/bin:/bin', TRESTLE_HOME: home.folder };
      const command = join(launcher, '..', 'trestle-mcp');
      await client.connect(new StdioClientTransport({ command, env, stderr: 'ignore' }));
      onTestFinished(() => client.close());
      const insert = 'POST /objects {"class":"Notes","properties":{"title":"a"}}';
      const ofBridge = async () => {
        const given = { connection_id: 'Cluster', query: insert };
        const result = (await client.callTool({ name: 'execute_query', arguments: given })) as CallToolResult;
        return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      };

      const rows = join(home.folder, 'rows.json');
      writeFileSync(rows, JSON.stringify([{ title: 'a' }]));
      const commands = [
        ['import', 'Cluster', 'Notes', rows],
        ['copy', 'Cluster', 'Notes', 'Copied'],
        ['query', 'Cluster', insert],
      ];
      for (const args of commands) {
        const { code, stdout, stderr } = await home.run(args);
        expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('Nothing was sent')]);
      }
      const refused = await ofBridge();
      expect(refused).toMatch(/^denied: .*name an address that would get a stored key/s);
      const [, id = ''] = /`trestle approvals allow ([0-9a-f]{4})`/.exec(refused) ?? [];
      expect(thief.seen).toEqual([]);

      const shown = await home.run(['approvals']);
      expect(shown.stdout).toContain(`  Address:    ${thief.url}, in moduleconfig.text2vec-openai.baseurl`);
      expect(shown.stdout).toContain('x-openai-api-key');
      expect(shown.stdout).not.toContain(key);
      const ask: [string, string][] = [['Administrator passphrase: ', passphrase]];
      const once = await atTerminal(home.folder, ['approvals', 'allow', id, '--once'], []);
      expect([once.code, once.output]).toEqual([1, expect.stringMatching('cannot count for one request')]);
      expect((await atTerminal(home.folder, ['approvals', 'allow', id], ask)).code).toBe(0);
      expect(await ofBridge()).toMatch('"class":"Notes"');
      expect(thief.seen.join()).toContain(key);
      // The approval holds for every client and program, and for this collection only.
      expect(await home.run(['query', 'Cluster', insert])).toMatchObject({ code: 0 });
      thief.seen.length = 0;
      expect(await home.run(['copy', 'Cluster', 'Notes', 'Copied'])).toMatchObject({ code: 1 });
      expect(thief.seen).toEqual([]);
    },
  );
}
