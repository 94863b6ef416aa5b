import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql';
import { expect, test } from 'vitest';
import { runningNode } from '../testing/running-node.ts';

async function numbersNode() {
  const node = await runningNode({ seed: false });
  await node.ask('POST', '/schema', {
    class: 'N',
    vectorizer: 'none',
    properties: [
      { name: 'i', dataType: ['int'] },
      { name: 'even', dataType: ['boolean'] },
      { name: 'word', dataType: ['text'] },
    ],
  });
  const objects = Array.from({ length: 30 }, (_, i) => ({
    class: 'N',
    properties: { i, even: i % 2 === 0, word: `w${i % 3}` },
  }));
  await node.ask('POST', '/batch/objects', { objects });
  return node;
}

test('introspection gives a schema that a GraphQL client can use', async () => {
  const node = await runningNode();
  const { data } = await node.graphql(getIntrospectionQuery());
  const sdl = printSchema(buildClientSchema(data as unknown as IntrospectionQuery));
  for (const part of [
    'type Mission {',
    'nearText: GetObjectsMissionNearTextInpObj',
    'union MissionBuildsOnObj',
  ]) {
    expect(sdl).toContain(part);
  }
});

test('two object properties may each have nested coordinates of the same name', async () => {
  const node = await runningNode({ seed: false });
  const nestedProperties = [{ name: 'place', dataType: ['geoCoordinates'] }];
  await node.ask('POST', '/schema', {
    class: 'Trip',
    properties: ['start', 'end'].map((name) => ({ name, dataType: ['object'], nestedProperties })),
  });
  const place = { latitude: 1, longitude: 2 };
  await node.ask('POST', '/objects', { class: 'Trip', properties: { start: { place }, end: {} } });
  const selection = '{ place { latitude longitude } }';
  expect(await node.graphql(`{ Get { Trip { start ${selection} end ${selection} } } }`)).toEqual({
    data: { Get: { Trip: [{ start: { place }, end: { place: null } }] } },
  });
});

test('an integer that does not fit into 32 bits is null in the answer, as in Weaviate', async () => {
  const node = await numbersNode();
  await node.ask('POST', '/objects', { class: 'N', properties: { i: 3_000_000_000 } });
  expect(
    await node.graphql('{ Get { N(where: { path: ["i"], operator: Equal, valueInt: 3000000000 }) { i } } }'),
  ).toEqual({ data: { Get: { N: [{ i: null }] } } });
});

test('aliases name the fields of the answer, and an invalid query gets an error', async () => {
  const node = await numbersNode();
  expect(
    await node.graphql('{ a: Get { b: N(limit: 1, sort: [{ path: ["i"], order: asc }]) { c: i } } }'),
  ).toEqual({
    data: { a: { b: [{ c: 0 }] } },
  });
  for (const [query, message] of [
    ['{ Get { N { nope } } }', 'Cannot query field "nope" on type "N".'],
    ['mutation { a }', 'Schema is not configured for mutations'],
    [
      '{ Get { N(limit: 0) { i } } }',
      'explorer: list class: search: invalid pagination params: invalid default limit: 0',
    ],
    [
      '{ Get { N { ...F } } } fragment F on N { i }',
      'interface conversion: ast.Selection is *ast.FragmentSpread, not *ast.Field',
    ],
    ['{', 'Syntax Error: Expected Name, found <EOF>.'],
  ] as const) {
    const { errors } = await node.graphql(query);
    expect(errors?.[0]?.message).toBe(message);
  }
  expect(await node.ask('POST', '/graphql', { query: '' })).toEqual({
    status: 422,
    body: { error: [{ message: 'query cannot be empty' }] },
  });
  expect(await node.ask('POST', '/graphql', { query: 5 })).toEqual({
    status: 400,
    body: {
      code: 400,
      message:
        'parsing body body from "" failed, because json: cannot unmarshal number into Go struct field GraphQLQuery.query of type string',
    },
  });
});

test('with one filter clause the limit applies before the sort, as in Weaviate; with two clauses it applies after the sort', async () => {
  const node = await numbersNode();
  const clause = '{ path: ["i"], operator: GreaterThanEqual, valueInt: 3 }';
  const ask = async (where: string) => {
    const { data } = await node.graphql(
      `{ Get { N(where: ${where}, sort: [{ path: ["i"], order: desc }], limit: 3) { i } } }`,
    );
    return (data as unknown as { Get: { N: { i: number }[] } }).Get.N.map(({ i }) => i);
  };
  expect(await ask(clause)).toEqual([5, 4, 3]);
  expect(await ask(`{ operator: And, operands: [${clause}, ${clause}] }`)).toEqual([29, 28, 27]);
});

test('aggregates count, sum up and group', async () => {
  const node = await numbersNode();
  expect(
    await node.graphql(
      '{ Aggregate { N { meta { count } i { count minimum maximum mean median sum type } even { totalTrue percentageTrue } word { count topOccurrences(limit: 1) { value occurs } } } } }',
    ),
  ).toEqual({
    data: {
      Aggregate: {
        N: [
          {
            meta: { count: 30 },
            i: { count: 30, minimum: 0, maximum: 29, mean: 14.5, median: 14.5, sum: 435, type: 'int' },
            even: { totalTrue: 15, percentageTrue: 0.5 },
            word: { count: 30, topOccurrences: [{ value: 'w0', occurs: 10 }] },
          },
        ],
      },
    },
  });
  const grouped = await node.graphql(
    '{ Aggregate { N(groupBy: ["word"], where: { path: ["i"], operator: LessThan, valueInt: 4 }) { groupedBy { path value } meta { count } } } }',
  );
  expect(grouped.data).toEqual({
    Aggregate: {
      N: [
        { groupedBy: { path: ['word'], value: 'w0' }, meta: { count: 2 } },
        { groupedBy: { path: ['word'], value: 'w1' }, meta: { count: 1 } },
        { groupedBy: { path: ['word'], value: 'w2' }, meta: { count: 1 } },
      ],
    },
  });
});

test('a query reads the target of a cross-reference, and a filter follows the reference', async () => {
  const node = await runningNode();
  const { data } = await node.graphql(
    '{ Get { Mission(where: { path: ["buildsOn", "Mission", "name"], operator: Equal, valueText: "Sputnik 1" }) { name buildsOn { ... on Mission { name __typename } } } } }',
  );
  expect(data).toMatchObject({
    Get: {
      Mission: [{ name: 'Sputnik 2', buildsOn: [{ name: 'Sputnik 1', __typename: 'Mission' }] }],
    },
  });
});

test('a filter accepts a uuid in the forms that Weaviate accepts, and refuses other forms with Weaviate’s messages', async () => {
  const node = await runningNode({ seed: false });
  await node.ask('POST', '/schema', {
    class: 'U',
    vectorizer: 'none',
    properties: [{ name: 'u', dataType: ['uuid'] }],
  });
  const u = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  await node.ask('POST', '/objects', { class: 'U', properties: { u } });
  const find = (value: string) =>
    node.graphql(`{ Get { U(where: { path: ["u"], operator: Equal, valueText: "${value}" }) { u } } }`);
  const plain = u.replaceAll('-', '');
  for (const value of [
    u,
    u.toUpperCase(),
    plain,
    plain.toUpperCase(),
    `{${u}}`,
    `urn:uuid:${u}`,
    `URN:UUID:${u}`,
  ]) {
    expect([value, await find(value)]).toEqual([value, { data: { Get: { U: [{ u }] } } }]);
  }
  for (const [value, problem] of [
    ['6ba7b810-9dad11d180b400c04fd430c8', 'invalid UUID length: 33'],
    ['6ba7b810-9dad-11d1-80b400c04fd430c8', 'invalid UUID length: 35'],
    ['é', 'invalid UUID length: 2'],
    [`z${u.slice(1)}`, 'invalid UUID format'],
    [`z${plain.slice(1)}`, 'invalid UUID format'],
    ['6ba7b8109-dad-11d1-80b4-00c04fd430c8', 'invalid UUID format'],
    [`urn:uuix:${u}`, 'invalid urn prefix: "urn:uuix:"'],
  ] as const) {
    const { errors } = await find(value);
    expect([value, errors?.[0]?.message]).toEqual([
      value,
      expect.stringMatching(new RegExp(`parse uuid filter value: ${problem}$`)),
    ]);
  }
});
