import { randomUUID } from 'node:crypto';
import {
  cellAt,
  driverErrorDetails,
  isDriverError,
  maskedColumn,
  type RunOutcome,
} from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

/** Two collections that differ only in the masked property. Its values have the same length in both. */
const mails = [
  ['aa@x.example', 'mm@x.example', 'zz@x.example'],
  ['zz@x.example', 'bb@x.example', 'ab@x.example'],
];
const ids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const guarded = ['mail', 'mails', 'box'].flatMap(maskedColumn);

const near = 'nearVector: {vector: [1, 0.5]}';
const bm25 = (query: string, more = '') => `bm25: {query: "${query}"${more}}`;

/** `C` stands for the collection, `R` for the collection that refers to it. */
const attempts = [
  '{ Get { C { mail mails box { inner } name } } }',
  '{ Get { C(where: {path: ["mail"], operator: Like, valueText: "a*"}) { name } } }',
  '{ Get { C(where: {path: "mail", operator: Equal, valueText: "aa@x.example"}) { name } } }',
  '{ Get { C(where: {operator: Not, operands: [{path: ["mail"], operator: Equal, valueText: "a"}]}) { name } } }',
  '{ Get { C(where: {operator: And, operands: [{path: ["name"], operator: Like, valueText: "*"}, {path: ["mails"], operator: ContainsAny, valueText: ["aa"]}]}) { name } } }',
  '{ Get { C(where: {path: ["len(mail)"], operator: GreaterThan, valueInt: 3}) { name } } }',
  '{ Get { C(where: {path: ["mail"], operator: IsNull, valueBoolean: false}) { name } } }',
  '{ Get { C(where: {path: ["box", "inner"], operator: Equal, valueText: "a"}) { name } } }',
  '{ Get { C(where: {path: ["Mail"], operator: Equal, valueText: "a"}) { name } } }',
  '{ Get { R(where: {path: ["to", "C", "mail"], operator: Like, valueText: "a*"}) { name } } }',
  '{ Get { R { to { ... on C { name mail } } } } }',
  '{ Get { R(sort: [{path: ["to", "C", "mail"]}]) { name } } }',
  '{ Get { C(sort: [{path: ["mail"], order: desc}]) { name } } }',
  '{ Get { C(sort: {path: "mail"}) { name } } }',
  '{ Get { C(sort: [{path: ["name"]}, {path: ["mails"]}]) { name } } }',
  `{ Get { C(${bm25('aa')}) { name _additional { score explainScore } } } }`,
  `{ Get { C(${bm25('example', ', properties: ["mail"]')}) { name _additional { score } } } }`,
  `{ Get { C(${bm25('example', ', properties: ["mail^3"]')}) { name } } }`,
  `{ Get { C(${bm25('example', ', properties: ["name", "mails"]')}) { name } } }`,
  `{ Get { C(${bm25('ada')}, autocut: 1) { name _additional { score } } } }`,
  `{ Get { C(${bm25('ada', ', properties: ["name"]')}, autocut: 1) { name _additional { score explainScore } } } }`,
  '{ Get { C(hybrid: {query: "aa example", alpha: 0}) { name _additional { score explainScore } } } }',
  '{ Get { C(hybrid: {query: "aa", vector: [1, 0], alpha: 0.5}) { name _additional { score explainScore } } } }',
  '{ Get { C(hybrid: {query: "aa", vector: [1, 0], properties: ["name"]}) { name _additional { score explainScore } } } }',
  '{ Get { C(hybrid: {query: "aa", vector: [1, 0], properties: ["mail"], fusionType: rankedFusion}) { name } } }',
  `{ Get { C(${near}, groupBy: {path: ["mail"], groups: 5, objectsPerGroup: 5}) { name _additional { group { id count groupedBy { value path } } } } } }`,
  `{ Get { C(${near}, groupBy: {path: ["name"], groups: 5, objectsPerGroup: 5}) { _additional { group { count hits { mail name } } } } } }`,
  `{ Get { C(${near}, groupBy: {path: ["name"], groups: 5, objectsPerGroup: 5}) { _additional { group { maxDistance groupedBy { value } } } } } }`,
  `{ Get { C(${near}) { name _additional { distance certainty explainScore } } } }`,
  `{ Get { C(nearObject: {id: "${ids[0]}"}) { name _additional { distance } } } }`,
  `{ Get { C(group: {type: merge, force: 1}) { name mail } } }`,
  `{ Get { C(group: {type: closest, force: 1}) { name } } }`,
  '{ Get { C { _additional { id vector lastUpdateTimeUnix: id } mail } } }',
  '{ Get { C { name _additional { isConsistent tokens(properties: ["mail"], limit: 10) { word } } } } }',
  '{ Get { C { _additional { summary(properties: ["mail"]) { result } } } } }',
  '{ Get { C { _additional { answer { result property } } } } }',
  '{ Get { C { _additional { generate(singleResult: {prompt: "{mail}"}) { singleResult error } } } } }',
  '{ Get { C { _additional { generate(groupedResult: {task: "x", properties: ["mail"]}) { groupedResult } } } } }',
  `{ Get { C(${near}) { _additional { rerank(property: "mail", query: "aa") { score } } } } }`,
  '{ Aggregate { C { mail { count type topOccurrences { value occurs } } } } }',
  '{ Aggregate { C { mails { count } box { count } } } }',
  '{ Aggregate { C(groupBy: ["mail"]) { meta { count } groupedBy { value } } } }',
  '{ Aggregate { C(groupBy: ["name"]) { meta { count } groupedBy { value } mail { count } } } }',
  '{ Aggregate { C(where: {path: ["mail"], operator: Like, valueText: "a*"}) { meta { count } } } }',
  '{ Aggregate { C(hybrid: {query: "aa", alpha: 0}, objectLimit: 1) { meta { count } name { topOccurrences { value } } } } }',
  `{ Aggregate { C(${near}, objectLimit: 1) { name { topOccurrences { value } } } } }`,
  '{ Aggregate { R { to { pointingTo type } } } }',
  '{ __type(name: "C") { fields { name } } }',
  'query ($w: C) { Get { C { name } } }',
  '{ Get { a: C { mail } b: C(limit: 1) { name } } }',
  '{ Get { C(limit: 1, offset: 1, after: "") { name } } }',
  `GET /objects?class=C&sort=mail&order=asc`,
  `GET /objects?class=C&sort=name&order=asc`,
  'GET /objects?class=C&include=vector,classification,interpretation',
  `GET /objects/C/${ids[0]}?include=mail`,
  `HEAD /objects/C/${ids[0]}`,
  'GET /schema/C',
  'GET /schema/C/shards',
  'GET /nodes?output=verbose',
  'GET /nodes/C',
  'GET /backups/filesystem',
  'GET /tasks',
  'GET /classifications/x',
  'GET /graphql?query={Get{C{mail}}}',
  'POST /graphql {"query":"{ Get { C(where: {path: [\\"mail\\"], operator: Like, valueText: \\"a*\\"}) { name } } }"}',
  'POST /graphql/batch [{"query":"{ Get { C { mail } } }"}]',
  'POST /objects/validate {"class":"C","properties":{"mail":"aa@x.example"}}',
  'POST /classifications {"class":"C","classifyProperties":["name"],"basedOnProperties":["mail"],"type":"knn"}',
  'POST /schema/C/properties {"name":"mail","dataType":["text"]}',
  'POST /schema/C/properties {"name":"MAIL","dataType":["text"]}',
  'PUT /schema/C/indexes/mail {"rangeable":{}}',
  'DELETE /schema/C/properties/mail/index/searchable',
  'DELETE /batch/objects {"match":{"class":"C","where":{"path":["mail"],"operator":"Like","valueText":"a*"}},"dryRun":true}',
  'DELETE /batch/objects {"match":{"class":"C","where":{"Path":["mail"],"operator":"Like","valueText":"a*"}},"dryRun":true,"output":"verbose"}',
  'DELETE /batch/objects {"match":{"class":"R","where":{"path":["to","C","mail"],"operator":"Like","valueText":"a*"}},"dryRun":true}',
  `PATCH /objects/C/${ids[0]} {"class":"C","properties":{"name":"Ada"}}`,
  `PUT /objects/C/${ids[0]} {"class":"C","id":"${ids[0]}","properties":{"name":"Ada","mail":null}}`,
  `POST /objects {"class":"C","id":"${ids[0]}","properties":{"mail":"aa@x.example"}}`,
  `POST /batch/objects {"objects":[{"class":"C","id":"${ids[1]}","properties":{"name":"Bob"}}]}`,
  `POST /objects/C/${ids[0]}/references/mail {"beacon":"weaviate://localhost/C/${ids[1]}"}`,
  'POST /aliases {"alias":"D","class":"C"}',
];

describeOnWeaviate('attacks on masking', ({ port }) => {
  test(`none of ${attempts.length} requests shows a client which masked values a collection has`, async () => {
    const name = `Twin${randomUUID().slice(0, 8)}`;
    const session = await connect(port);
    const answers: string[][] = [];
    let answered = 0;
    try {
      for (const values of mails) {
        const seen: string[] = [];
        let isChanged = true;
        for (const text of attempts) {
          if (isChanged) await fill(port, name, values);
          const line = text.replaceAll(/\bC\b/g, name).replaceAll(/\bR\b/g, `${name}Ref`);
          const request = { text: line, ceiling: 'destroy' as const, limit: 50, guarded, reach: 100 };
          const answer = await session.run(request, call).then(shown, (error: unknown) => {
            if (!isDriverError(error)) throw error;
            const { code, message, hint } = driverErrorDetails(error);
            return { code, message, hint };
          });
          if (!('code' in answer)) answered++;
          // A write that ran may have changed the objects.
          isChanged = !('code' in answer) && !/^(\{|GET |HEAD )/.test(text);
          seen.push(`${text}: ${stable(answer)}`);
        }
        answers.push(seen);
      }
    } finally {
      await session.close();
      await drop(port, name);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answered).toBeGreaterThan(25);
  });
});

/** The answer as a client sees it. */
function shown(outcome: RunOutcome) {
  return outcome.results.map((result) => {
    if (result.kind !== 'rows') return result;
    const { columns, rowCount } = result.rows;
    return Array.from({ length: rowCount }, (_, row) =>
      columns.map((head, column) => (head.masked ? '•••' : cellAt(result.rows, column, row))),
    );
  });
}

/** Leaves out times, the names of shards, and the order of equal groups: they differ between any two collections. */
function stable(answer: unknown): string {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (Array.isArray(value) && value.some((one) => one?.groupedBy !== undefined)) {
      return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    }
    if (
      /^(creationTimeUnix|lastUpdateTimeUnix|objectCount|batchStats|stats|shards|deletionTimeUnixMilli)$/i.test(
        key,
      )
    )
      return key;
    return value instanceof Float32Array ? [...value] : value;
  });
  return text.replaceAll(/"name":"\w{12}"/g, '"name":"shard"');
}

async function drop(port: number, name: string) {
  for (const one of [`${name}Ref`, name]) await rest(port, 'DELETE', `/schema/${one}`);
}

async function fill(port: number, name: string, values: string[]) {
  await drop(port, name);
  const text = (property: string) => ({ name: property, dataType: ['text'] });
  await rest(port, 'POST', '/schema', {
    class: name,
    vectorizer: 'none',
    invertedIndexConfig: { indexNullState: true, indexPropertyLength: true },
    properties: [
      text('name'),
      text('mail'),
      { name: 'mails', dataType: ['text[]'] },
      { name: 'box', dataType: ['object'], nestedProperties: [text('inner')] },
    ],
  });
  await rest(port, 'POST', '/schema', {
    class: `${name}Ref`,
    vectorizer: 'none',
    properties: [text('name'), { name: 'to', dataType: [name] }],
  });
  for (const [at, mail] of values.entries()) {
    const [id, vector] = [ids[at], [1, at]];
    const properties = { name: ['Ada', 'Bob', 'Cy'][at], mail, mails: [mail, 'x'], box: { inner: mail } };
    await rest(port, 'POST', '/objects', { class: name, id, vector, properties });
    const to = [{ beacon: `weaviate://localhost/${name}/${id}` }];
    await rest(port, 'POST', '/objects', {
      class: `${name}Ref`,
      id,
      vector: [1, at + 0.5],
      properties: { name: `r${at}`, to },
    });
  }
}
