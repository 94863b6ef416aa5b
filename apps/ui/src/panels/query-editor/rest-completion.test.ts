import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import type { EditorRequests } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { offersFor, restCompletion } from './rest-completion.ts';

const requests: EditorRequests = {
  prefix: '/v1',
  paths: [
    { method: 'GET', path: '/schema', summary: 'All' },
    { method: 'GET', path: '/schema/{table}', summary: 'One' },
    {
      method: 'GET',
      path: '/objects',
      summary: 'Rows',
      parameters: ['class={table}', 'limit=10', 'order=asc', 'order=desc'],
    },
    { method: 'PATCH', path: '/objects/{table}/{id}', summary: 'Change', body: '{ "class": "{table}" }' },
  ],
};

const labels = (before: string, tables = ['Article', 'Größe']) => {
  const offered = offersFor(before, requests, tables);
  return offered && [offered.part, offered.typed, offered.options.map(({ label }) => label)];
};

test('the methods are offered at the start of a line', () => {
  expect(labels('')).toEqual(['method', '', ['GET', 'PATCH']]);
  expect(labels('  ge')).toEqual(['method', 'ge', ['GET', 'PATCH']]);
});

test('the paths of a method are offered after it, with the names of the tables', () => {
  expect(labels('GET ')).toEqual([
    'path',
    '',
    ['/schema', '/schema/Article', '/schema/Gr%C3%B6%C3%9Fe', '/objects'],
  ]);
  expect(labels('patch /obj')).toEqual([
    'path',
    '/obj',
    ['/objects/Article/{id}', '/objects/Gr%C3%B6%C3%9Fe/{id}'],
  ]);
  expect(labels('GET /schema', [])).toEqual(['path', '/schema', ['/schema', '/schema/{table}', '/objects']]);
});

test('if the user typed the prefix of the paths, each completion has it too', () => {
  expect(labels('GET /v1/s', ['A'])).toEqual([
    'path',
    '/v1/s',
    ['/v1/schema', '/v1/schema/A', '/v1/objects'],
  ]);
});

test('the parameters of the path follow the question mark, without the names that were already given', () => {
  expect(labels('GET /objects?', ['A'])).toEqual([
    'parameter',
    '',
    ['class=A', 'limit=10', 'order=asc', 'order=desc'],
  ]);
  expect(labels('GET /v1/objects?class=A&order=', ['A'])).toEqual([
    'parameter',
    'order=',
    ['limit=10', 'order=asc', 'order=desc'],
  ]);
  expect(labels('GET /schema?', ['A'])).toEqual(['parameter', '', []]);
});

test('a method is offered where a request may start, and not inside an operation or a body', () => {
  const offers = (doc: string) => {
    const context = new CompletionContext(EditorState.create({ doc }), doc.length, true);
    return restCompletion(requests, [])(context) !== null;
  };
  expect(['G', '{ Get { A } }\n\nG', 'GET /schema\n', 'PATCH /objects\n{}\n'].map(offers)).not.toContain(
    false,
  );
  expect(['{\n  G', 'PATCH /objects\n{\n  t', 'PATCH /objects\n{\n'].map(offers)).not.toContain(true);
});

test('a table name with `$&` is inserted into the body unchanged', () => {
  const paths = [{ method: 'POST', path: '/{table}', summary: '', body: '{ "class": "{table}" }' }];
  const [option] = offersFor('POST /', { paths }, ['a$&b'])?.options ?? [];
  expect(option?.apply).toBe('/a%24%26b\n{ "class": "a$&b" }');
});

test('there are no completions after a bracket, after a path and a space, or for an unknown method', () => {
  expect(labels('{ Get { ')).toBeNull();
  expect(labels('TRACE /schema')).toBeNull();
  expect(labels('GET /schema and more')).toBeNull();
});
