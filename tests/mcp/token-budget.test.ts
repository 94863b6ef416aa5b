import { join } from 'node:path';
import { startVectorNode } from '@trestle/vector-node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildSampleDatabase } from '../../samples/sqlite/build.ts';
import { rawClient } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { countTokens, tokensOfTools } from './tokens.ts';
import { createUsualCollection, usualQuestion } from './usual-collection.ts';

/** Token budgets of Trestle's answers on the two samples. A number here goes up only with a reason. */

let running: RunningServer;
let node: Awaited<ReturnType<typeof startVectorNode>>;
let client: ReturnType<typeof rawClient>;

beforeAll(async () => {
  running = await runServer();
  const file = join(running.home, 'sample.db');
  buildSampleDatabase(file);
  await running.connectSqlite('facts', file);
  node = await startVectorNode({});
  await running.connectWeaviate('vectors', node.port);
  client = rawClient(running);
});
afterAll(async () => {
  await running?.close();
  await node?.stop();
});

const missions = ['id', 'name', 'agency', 'launch_date', 'destination', 'planet_id', 'crewed', 'outcome'];
const nearest = { mode: 'near_text', text: 'big cats that hunt alone', target_vector: 'description' };

test('the catalogue of tools, which lists the filter operators once, costs at most 2,220 tokens, and the instructions at most 95', async () => {
  const { message } = await client.ask('tools/list');
  const tools = message.result?.tools as { name: string }[];
  expect(tokensOfTools(tools)).toBeLessThanOrEqual(2_220);
  const listing = tools.filter((tool) => JSON.stringify(tool).includes('"is_not_empty","regex"]'));
  expect(listing.map(({ name }) => name)).toEqual(['browse_table']);
  const { message: discovered } = await client.ask('server/discover');
  expect(countTokens(String(discovered.result?.instructions))).toBeLessThanOrEqual(95);
});

test.each<[string, number, object]>([
  ['list_connections', 90, {}],
  ['list_tables', 85, { connection_id: 'facts' }],
  ['list_tables', 100, { connection_id: 'vectors' }],
  ['describe_table', 165, { connection_id: 'facts', table: 'planets' }],
  ['describe_table', 190, { connection_id: 'facts', table: 'countries' }],
  ['describe_table', 440, { connection_id: 'vectors', table: 'Species' }],
  ['describe_table', 455, { connection_id: 'vectors', table: 'Mission' }],
  ['describe_table', 375, { connection_id: 'vectors', table: 'MuseumNote' }],
  ['browse_table', 580, { connection_id: 'facts', table: 'space_missions', limit: 20, columns: missions }],
  ['browse_table', 10, { connection_id: 'facts', table: 'planets', count_only: true }],
  ['vector_search', 620, { connection_id: 'vectors', table: 'Species', limit: 5, ...nearest }],
  // The link stands inside a fence, since the name of the file begins with that of the table.
  ['export_data', 75, { connection_id: 'facts', table: 'elements' }],
])('%s costs at most %i tokens: %j', async (name, budget, args) => {
  const { text, isError } = await client.call(name, args);
  expect([isError, text]).toEqual([false, expect.any(String)]);
  expect(countTokens(text)).toBeLessThanOrEqual(budget);
});

test('one question by vector search costs at most 3,600 tokens in all', async () => {
  const steps: [string, object][] = [
    ['list_connections', {}],
    ['list_tables', { connection_id: 'vectors' }],
    ['describe_table', { connection_id: 'vectors', table: 'Species' }],
    ['vector_search', { connection_id: 'vectors', table: 'Species', limit: 5, ...nearest }],
  ];
  expect((await costOf(steps)).whole).toBeLessThanOrEqual(3_600);
});

test('a collection with eight described properties, tenants and two vectors costs 600 tokens, and a question with ten rows 4,500', async () => {
  const own = await startVectorNode({ seed: false });
  onTestFinished(() => own.stop());
  await createUsualCollection(own.port);
  await running.connectWeaviate('usual', own.port);
  const { whole, answers } = await costOf(usualQuestion('usual'));
  expect(answers[2]).toBeLessThanOrEqual(600);
  expect(whole).toBeLessThanOrEqual(4_500);
});

/** The tokens of the catalogue, the calls and the answers. */
async function costOf(steps: [name: string, args: object][]): Promise<{ whole: number; answers: number[] }> {
  const { message } = await client.ask('tools/list');
  const answers: number[] = [];
  let whole = tokensOfTools(message.result?.tools as unknown[]);
  for (const [name, args] of steps) {
    const { text, isError } = await client.call(name, args);
    expect([isError, text]).toEqual([false, expect.any(String)]);
    answers.push(countTokens(text));
    whole += countTokens(JSON.stringify({ name, arguments: args })) + countTokens(text);
  }
  return { whole, answers };
}

test('the schema of a whole sample costs at most 1,500 tokens, and the prompt that explains it 1,600', async () => {
  for (const name of ['facts', 'vectors']) {
    const { id } = running.core.connections.list().find((one) => one.name === name)!;
    const { message } = await client.ask('resources/read', { uri: `trestle://connections/${id}/schema` });
    const [content] = (message.result?.contents ?? []) as { text: string }[];
    expect(countTokens(content?.text ?? '')).toBeLessThanOrEqual(1_500);
    const prompt = await client.ask('prompts/get', {
      name: 'explain_schema',
      arguments: { connection_id: name },
    });
    expect(countTokens(JSON.stringify(prompt.message.result?.messages))).toBeLessThanOrEqual(1_600);
  }
});

test('the longest answer has between 3,000 and 11,000 tokens, for each kind of value', async () => {
  const values = {
    words: "'The quick brown fox jumps over the lazy dog, again. '",
    numbers: "'1234567.891 -42 0.000314159 '",
    uuids: "lower(hex(randomblob(16))) || ' '",
    base64: "'Zm9vYmFyKysvL3h5ejEyMzQ1Njc4OTA='",
    chinese: "'敏捷的棕色狐狸跳过懒狗。'",
    json: `'{"a":[1,2,{"b":null}],"c":"d"} '`,
    spaces: "'                                                            '",
  };
  for (const [kind, value] of Object.entries(values)) {
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)';
    const query = `${numbers} SELECT i, ${value} FROM n`;
    const { text } = await client.call('execute_query', { connection_id: 'facts', query, limit: 10_000 });
    expect([kind, text.includes('next_offset: ')]).toEqual([kind, true]);
    expect([kind, countTokens(text)]).toEqual([
      kind,
      expect.toSatisfy((count) => count > 3_000 && count < 11_000),
    ]);
  }
});
