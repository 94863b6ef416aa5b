import { uuidOf } from '../../drivers/weaviate/src/testing/graphql-queries.ts';
import { worldCollections } from '../../drivers/weaviate/src/testing/world-collections.ts';
import { rest } from './servers.ts';

const words = 'moon river sea star ship night song wolf tree stone'.split(' ');
const wordAt = (index: number) => words[index % words.length]!;

const author = (index: number) => ({ beacon: `weaviate://localhost/Author/${uuidOf(100 + (index % 6))}` });
const publisher = (index: number) => ({
  beacon: `weaviate://localhost/Publisher/${uuidOf(200 + (index % 3))}`,
});

function article(index: number) {
  return {
    title: `The ${wordAt(index)} and the ${wordAt(index * 3 + 1)} ${index}`,
    body: `${wordAt(index % 7)} ${wordAt(index % 5)} over the ${wordAt(index % 3)} at night`,
    words: index * 10,
    big: 3_000_000_000 + index,
    price: index / 4,
    published: index % 3 === 0,
    day: new Date(Date.UTC(2024, 0, 1 + index)).toISOString(),
    code: uuidOf(5000 + index),
    place: { latitude: 52 + index / 100, longitude: 13.4 },
    phone: { input: '020 1234567', defaultCountry: 'nl' },
    tags: index % 4 === 0 ? [] : [wordAt(index), wordAt(index + 1)],
    nums: [index, index + 1],
    prices: [index / 2],
    days: ['2024-01-01T00:00:00Z'],
    flags: [true, false],
    codes: [uuidOf(index)],
    pic: 'aGVsbG8=',
    meta: index % 2 ? { a: `m${index}`, n: index, deep: { z: `z${index}` } } : { a: `m${index}` },
    parts: [{ a: 'x' }, { a: `y${index}` }],
    // Of groups with equal sizes, the server chooses the order by chance.
    cat: ['red', 'red', 'red', 'green', 'green', 'blue'][index % 6],
    ...(index % 5 < 3 && { writtenBy: [author(index)] }),
    ...(index % 4 < 2 && { makers: [author(index), publisher(index)] }),
  };
}

/** The collections that `graphql-queries.ts` reads. */
export async function makeWorld(port: number): Promise<void> {
  for (const collection of worldCollections) await rest(port, 'POST', '/schema', collection);
  await rest(port, 'POST', '/schema/Mt/tenants', [{ name: 'acme' }, { name: 'beta' }]);
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, at) => make(at));
  const store = (objects: object[]) => rest(port, 'POST', '/batch/objects', { objects });
  // The server refuses a reference to an object that it does not have.
  await store([
    ...times(6, (at) => ({
      class: 'Author',
      id: uuidOf(100 + at),
      properties: { name: `Author ${at}`, age: 30 + at },
    })),
    ...times(3, (at) => ({ class: 'Publisher', id: uuidOf(200 + at), properties: { label: `House ${at}` } })),
  ]);
  const stored = await store([
    ...times(119, (at) => ({ class: 'Article', id: uuidOf(1000 + at), properties: article(at) })),
    { class: 'Article', id: uuidOf(1119), properties: { title: 'bare' } },
    ...times(30, (at) => ({
      class: 'Named',
      id: uuidOf(3000 + at),
      properties: { name: `named ${wordAt(at)}` },
      vectors: {
        a: [at, 1, 2],
        b: [1, at, 3],
        m: [
          [at, 1],
          [2, at],
        ],
      },
    })),
    ...times(5, (at) => ({
      class: 'Mt',
      tenant: at < 3 ? 'acme' : 'beta',
      id: uuidOf(4000 + at),
      properties: { name: `t${at}` },
    })),
    ...times(150, (at) => ({
      class: 'Plain',
      id: uuidOf(6000 + at),
      properties: { n: at, w: wordAt(at) },
      vector: [at / 150, 1, 0.5],
    })),
  ]);
  const failed = (stored as { result?: { errors?: unknown } }[]).find(({ result }) => result?.errors);
  if (failed) throw new Error(JSON.stringify(failed.result?.errors));
}
