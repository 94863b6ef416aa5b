import { expect, test } from 'vitest';
import { blockAt, requestBlocks } from './request-blocks.ts';

function blocksOf(text: string): string[] {
  return requestBlocks(text).map(({ from, to, kind }) => `${kind}: ${text.slice(from, to)}`);
}

test('an operation and its fragment are one request, also with empty lines in and between them', () => {
  const text = '{\n  Get {\n\n    Article { title }\n  }\n}\n\nfragment f on Article { title }';
  expect(blocksOf(text)).toEqual([`graphql: ${text}`]);
});

test('each operation and each REST line is a request, in any order', () => {
  const text =
    '# all of them\nGET /schema\n\n{ Get { A { b } } }\n\nquery two { Get { A { b } } }\nget /nodes\n# end\n';
  expect(blocksOf(text)).toEqual([
    'rest: GET /schema',
    'graphql: { Get { A { b } } }',
    'graphql: query two { Get { A { b } } }',
    'rest: get /nodes',
  ]);
});

test('a body below a REST line belongs to that line, also after an empty line', () => {
  expect(blocksOf('POST /objects\n{ "class": "A" }')).toEqual(['rest: POST /objects\n{ "class": "A" }']);
  expect(blocksOf('POST /objects\n\n{\n "a": "}"\n}\n\n{ Get { A { b } } }')).toEqual([
    'rest: POST /objects\n\n{\n "a": "}"\n}',
    'graphql: { Get { A { b } } }',
  ]);
  expect(blocksOf('DELETE /schema/A\nDELETE /schema/B')).toEqual([
    'rest: DELETE /schema/A',
    'rest: DELETE /schema/B',
  ]);
});

test('an empty line below a REST line separates a query from the line, but not a JSON body', () => {
  for (const line of ['DELETE /schema/A', 'POST /backups/filesystem']) {
    for (const query of [
      '{ Get { A { b } } }',
      '{\n  Get { A { b } }\n}',
      '{ # all\n\n  Get }',
      'query q { Get }',
    ]) {
      expect(blocksOf(`${line}\n\n${query}`)).toEqual([`rest: ${line}`, `graphql: ${query}`]);
    }
    for (const body of ['{ "a": 1 }', '{\n\n  "a": 1\n}', '{}', '{', '[{ "a": 1 }]']) {
      expect(blocksOf(`${line}\n\n${body}`)).toEqual([`rest: ${line}\n\n${body}`]);
    }
  }
});

test('brackets in a string do not count, and an empty text has no request', () => {
  const text = '{ Get { A(where: {\n  valueText: "{ ("\n  }) { b } }\n}';
  expect(blocksOf(text)).toHaveLength(1);
  expect(requestBlocks('')).toEqual([]);
  // A string that is not closed ends with its line.
  expect(blocksOf('{ Get { A(x: "{ ( \n) { b } } }\n\nGET /a')).toHaveLength(2);
});

test('brackets in a block string of several lines do not count', () => {
  const first = '{ Get { A(x: """\n a { b \\""" (\n\n# "[\n""") { c } } }';
  const second = '{ Get { B(x: """{""", y: "") { c } } } # """';
  expect(blocksOf(`${first}\n\n${second}\n\nGET /a`)).toEqual([
    `graphql: ${first}`,
    `graphql: ${second}`,
    'rest: GET /a',
  ]);
});

test('the cursor belongs to the last request that starts at or before it', () => {
  const blocks = requestBlocks('GET /a\n\nGET /b');
  expect(blockAt(blocks, 0)?.from).toBe(0);
  expect(blockAt(blocks, 7)?.from).toBe(0);
  expect(blockAt(blocks, 14)?.from).toBe(8);
});
