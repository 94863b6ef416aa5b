import { expect, test } from 'vitest';
import { type RunningNode, runningNode } from '../testing/running-node.ts';

interface Found {
  name: string;
  _additional: { id: string; distance: number | null; certainty: number | null; score: string };
}

async function find(node: RunningNode, search: string): Promise<Found[]> {
  const { data, errors } = await node.graphql(
    `{ Get { Mission(${search}) { name _additional { id distance certainty score } } } }`,
  );
  if (errors) throw new Error(errors[0]?.message);
  return (data as unknown as { Get: { Mission: Found[] } }).Get.Mission;
}

test('near text returns the nearest object first, with distances and certainties', async () => {
  const node = await runningNode();
  const found = await find(node, 'nearText: { concepts: ["spacecraft"] }, limit: 5');
  expect(found).toHaveLength(5);
  const distances = found.map(({ _additional }) => _additional.distance ?? 2);
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  expect(found[0]?._additional.certainty).toBeCloseTo(1 - (distances[0] ?? 0) / 2, 6);
});

test('near object returns the object first, and near vector with its vector returns the same rows', async () => {
  const node = await runningNode();
  const [first] = await find(node, 'limit: 1');
  const id = first?._additional.id ?? '';
  const { body } = await node.ask('GET', `/objects/Mission/${id}?include=vector`);
  const { vector } = body as { vector: number[] };
  const near = await find(node, `nearObject: { id: "${id}" }, limit: 3`);
  expect(near[0]).toMatchObject({ name: first?.name, _additional: { distance: 0 } });
  expect(await find(node, `nearVector: { vector: [${vector}] }, limit: 3`)).toEqual(near);
  await expect(find(node, 'nearVector: { vector: [1, 2] }')).rejects.toThrow("vector lengths don't match");
});

test('hybrid ranks like keyword search with alpha 0, and like near text with alpha 1', async () => {
  const node = await runningNode();
  const keyword = await find(node, 'bm25: { query: "satellite" }, limit: 3');
  expect(keyword.map(({ _additional }) => Number(_additional.score) > 0)).toEqual([true, true, true]);
  const alone = await find(node, 'hybrid: { query: "satellite", alpha: 0 }, limit: 3');
  expect(alone.map(({ name }) => name)).toEqual(keyword.map(({ name }) => name));
  const vector = await find(node, 'hybrid: { query: "satellite", alpha: 1 }, limit: 3');
  const text = await find(node, 'nearText: { concepts: ["satellite"] }, limit: 3');
  expect(vector.map(({ name }) => name)).toEqual(text.map(({ name }) => name));
  await expect(find(node, 'bm25: { query: "a" }, sort: [{ path: ["name"], order: asc }]')).rejects.toThrow(
    'bm25 search is not compatible with sort',
  );
});

test('a vector search in a collection with several vectors must name one', async () => {
  const node = await runningNode();
  const ask = (targets: string) =>
    node.graphql(`{ Get { Species(nearText: { concepts: ["bee"]${targets} }, limit: 1) { commonName } } }`);
  expect((await ask('')).errors?.[0]?.message).toContain('please specify target vector name');
  expect((await ask(', targetVectors: ["habitat"]')).errors).toBeUndefined();
});

test('an edit of a text changes the vector, an edit of a number does not', async () => {
  const node = await runningNode();
  const [first] = await find(node, 'limit: 1');
  const path = `/objects/Mission/${first?._additional.id}`;
  const vector = async () =>
    ((await node.ask('GET', `${path}?include=vector`)).body as { vector: number[] }).vector;
  const before = await vector();
  await node.ask('PATCH', path, { class: 'Mission', properties: { crewSize: 9 } });
  expect(await vector()).toEqual(before);
  await node.ask('PATCH', path, {
    class: 'Mission',
    properties: { description: 'A violin and an orchestra.' },
  });
  expect(await vector()).not.toEqual(before);
});

test('autocut 0 cuts nothing, and the cursor ignores the case of a uuid', async () => {
  const node = await runningNode();
  const search = 'nearText: { concepts: ["moon"] }, limit: 20';
  expect(await find(node, `${search}, autocut: 0`)).toEqual(await find(node, search));
  expect((await find(node, `${search}, autocut: 1`)).length).toBeLessThan(20);
  const [first, second] = await find(node, 'limit: 2');
  const after = first?._additional.id.toUpperCase() ?? '';
  expect(await find(node, `after: "${after}", limit: 1`)).toEqual([second]);
});
