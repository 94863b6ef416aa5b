import { ensureSyntaxTree, matchBrackets } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { bracketMarks, graphqlExtension, lintRequests } from './graphql-language.ts';

const schema = buildSchema(
  'type Query { Get: Get } type Get { Article(limit: Int): [Article] } type Article { title: String }',
);
const marked = (text: string) =>
  lintRequests(text, schema).map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`);

test('REST lines are not read as GraphQL', () => {
  expect(marked('GET /schema\n\nPOST /objects\n{ "class": "Article" }')).toEqual([]);
});

test('an unknown field after a REST line is marked', () => {
  expect(marked('GET /schema\n\n{ Get { Article { titel } } }')).toEqual([
    'titel: Cannot query field "titel" on type "Article". Did you mean "title"?',
  ]);
});

test('text that does not parse is marked at the syntax error', () => {
  expect(marked('{ Get { Article(limit: ) { title } } }')).toEqual([
    expect.stringMatching(/^\): Syntax Error: Unexpected "\)"/),
  ]);
  expect(lintRequests('{ Get {', schema)).toHaveLength(1);
});

test('without a schema no field is marked as unknown', () => {
  expect(lintRequests('{ Nothing }', undefined)).toEqual([]);
});

test.each([
  ['{ Get { Article { title } } }', ['{', '}']],
  // The GraphQL parser finds no partner for the last bracket.
  ['POST /objects\n{ "class": "Article" }', []],
])('a bracket is marked only together with its partner: %j', (text, expected) => {
  const state = EditorState.create({ doc: text, extensions: graphqlExtension(undefined, []) });
  // On a busy machine, the first parse of the state ends before its text does.
  ensureSyntaxTree(state, text.length, 60_000);
  // Only a new state has the tree of the whole text.
  const match = matchBrackets(state.update({}).state, text.length, -1);
  expect(match).not.toBeNull();
  const marks = bracketMarks(match!).map(({ from, to }) => text.slice(from, to));
  expect(marks.sort()).toEqual(expected);
});
