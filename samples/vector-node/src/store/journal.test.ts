import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningNode } from '../testing/running-node.ts';

const id = '11111111-1111-4111-8111-111111111111';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-vector-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a new object, collection and tenant survive a restart, and so does the deletion of an object', async () => {
  const dataFolder = temporaryFolder();
  const first = await runningNode({ dataFolder });
  await first.ask('POST', '/objects', { class: 'Mission', id, properties: { name: 'Mine' } });
  const { body } = await first.ask('GET', `/objects/Mission/${id}?include=vector`);
  await first.ask('POST', '/schema', { class: 'Own', properties: [{ name: 'a', dataType: ['text'] }] });
  await first.ask('POST', '/schema/MuseumNote/tenants', [{ name: 'mine' }]);
  const listed = (await first.ask('GET', '/objects?class=Species&limit=1')).body as {
    objects: { id: string }[];
  };
  const gone = listed.objects[0]?.id;
  await first.ask('DELETE', `/objects/Species/${gone}`);
  await first.stop();

  const second = await runningNode({ dataFolder });
  expect((await second.ask('GET', `/objects/Mission/${id}?include=vector`)).body).toEqual(body);
  expect(await second.ask('GET', '/schema/Own')).toMatchObject({ status: 200 });
  expect(await second.ask('GET', '/schema/MuseumNote/tenants/mine')).toMatchObject({ status: 200 });
  expect(await second.ask('GET', `/objects/Species/${gone}`)).toMatchObject({ status: 404 });
});

test('the stored rows of a batch survive a restart, even if another row of the batch failed', async () => {
  const dataFolder = temporaryFolder();
  const first = await runningNode({ dataFolder });
  const other = id.replaceAll('1', '2');
  const object = (of: string, properties: object) => ({ class: 'Mission', id: of, properties });
  const objects = [
    object(id, { name: 'Mine' }),
    object(id.replaceAll('1', '3'), { crewSize: 'many' }),
    object(other, { name: 'Also mine' }),
  ];
  const { body } = await first.ask('POST', '/batch/objects', { objects });
  const statuses = (body as { result: { status: string } }[]).map(({ result }) => result.status);
  expect(statuses).toEqual(['SUCCESS', 'FAILED', 'SUCCESS']);
  await first.stop();

  const second = await runningNode({ dataFolder });
  for (const stored of [id, other]) {
    expect(await second.ask('GET', `/objects/Mission/${stored}`)).toMatchObject({ status: 200 });
  }
});

test('reset restores the sample and deletes the journal', async () => {
  const dataFolder = temporaryFolder();
  const node = await runningNode({ dataFolder });
  const count = async () =>
    (await node.graphql('{ Aggregate { Mission { meta { count } } } }')).data?.Aggregate as unknown;
  const before = await count();
  await node.ask('POST', '/objects', { class: 'Mission', id, properties: { name: 'Mine' } });
  await node.ask('DELETE', '/schema/Invention');
  await node.reset();
  expect(await count()).toEqual(before);
  expect(await node.graphql('{ Get { Invention(limit: 1) { name } } }')).toMatchObject({
    data: { Get: { Invention: [{}] } },
  });
  expect(readdirSync(dataFolder)).toEqual([]);
});

test('reset before the data is loaded undoes the edits of an earlier run', async () => {
  const dataFolder = temporaryFolder();
  const first = await runningNode({ dataFolder });
  await first.ask('POST', '/objects', { class: 'Mission', id, properties: { name: 'Mine' } });
  await first.stop();
  const second = await runningNode({ dataFolder });
  await second.reset();
  expect(readdirSync(dataFolder)).toEqual([]);
  expect(await second.ask('GET', `/objects/Mission/${id}`)).toMatchObject({ status: 404 });
});

test('a kill that cuts off a line loses only that line', async () => {
  const dataFolder = temporaryFolder();
  const first = await runningNode({ dataFolder });
  await first.ask('POST', '/objects', { class: 'Mission', id, properties: { name: 'Mine' } });
  await first.stop();
  appendFileSync(join(dataFolder, 'edits.jsonl'), '{"op":"put","class":"Mission","id":"2222');
  const second = await runningNode({ dataFolder });
  expect(await second.ask('GET', `/objects/Mission/${id}`)).toMatchObject({ status: 200 });
  await second.ask('PATCH', `/objects/Mission/${id}`, { class: 'Mission', properties: { name: 'Again' } });
  await second.stop();
  const third = await runningNode({ dataFolder });
  expect(await third.ask('GET', `/objects/Mission/${id}`)).toMatchObject({
    body: { properties: { name: 'Again' } },
  });
});

test('the journal drops entries that later entries overwrite', async () => {
  const dataFolder = temporaryFolder();
  const first = await runningNode({ dataFolder });
  await first.ask('POST', '/objects', { class: 'Mission', id, properties: { name: 'Mine' } });
  for (const crewSize of [1, 2, 3]) {
    await first.ask('PATCH', `/objects/Mission/${id}`, { class: 'Mission', properties: { crewSize } });
  }
  await first.stop();
  const again = await runningNode({ dataFolder });
  await again.ask('GET', '/schema');
  const lines = readFileSync(join(dataFolder, 'edits.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).object.properties.crewSize)).toEqual([3]);
});

test('a vector that an earlier release made in another length is made again', async () => {
  const dataFolder = temporaryFolder();
  const properties = { name: 'Mine', description: 'Dust from a comet.' };
  const object = { properties, vectors: [['default', [1, 0]]], createdAt: 1, updatedAt: 1 };
  writeFileSync(
    join(dataFolder, 'edits.jsonl'),
    `${JSON.stringify({ op: 'put', class: 'Mission', id, object })}\n`,
  );
  const node = await runningNode({ dataFolder });
  const { data } = await node.graphql(
    '{ Get { Mission(limit: 3, nearText: { concepts: ["dust from a comet"] }) { name } } }',
  );
  expect(data?.Get).toMatchObject({ Mission: expect.arrayContaining([{ name: 'Mine' }]) });
});
