import { fenced, own } from '@trestle/core';
import { connectionHistory } from '../history.ts';
import { type PromptDefinition, schemaOf, tableOf } from './prompt.ts';

export const questionToQuery: PromptDefinition = {
  name: 'question_to_query',
  title: 'Turn a question into a query',
  description: 'A query that answers a question, run and explained.',
  required: ['connection_id', 'question'],
  optional: ['table'],
  words: ({ question = '' }) => [
    own`Answer the question below from the database.`,
    own`Write one query in the language that list_connections names for this database, using only names that are`,
    own`in the schema below it. Run it with execute_query, show the query and the answer, and say what you assumed.`,
    own``,
    fenced(question, own`the user's question`),
  ],
  data: (args, call) => (args.table ? tableOf(args, call) : schemaOf(args, call)),
};

export const reviewQuery: PromptDefinition = {
  name: 'review_query',
  title: 'Review a query',
  description: 'Checks whether a query is right, safe and fast for the current schema.',
  required: ['connection_id', 'query'],
  words: ({ query = '' }) => [
    own`Review the query below against the schema below it. Say what it returns or changes, whether every name`,
    own`in it exists, where it can give wrong or surprising rows, what it costs, and how you would write it.`,
    own`Do not run it if it writes.`,
    own``,
    fenced(query, own`the query to review`),
  ],
  data: schemaOf,
};

export const summarizeQueryHistory: PromptDefinition = {
  name: 'summarize_query_history',
  title: 'Summarise the query history',
  description: 'Recent statements on a database: what they asked, what failed, and what took long.',
  required: ['connection_id'],
  optional: ['limit'],
  words: () => [
    own`Summarise the recent statements on this database: the kinds of questions, the statements that repeat,`,
    own`what failed and why, and what took longest. Suggest what is worth saving or making faster.`,
  ],
  data({ connection_id = '', limit }, call) {
    const wanted = Math.min(Math.max(Number.parseInt(limit ?? '', 10) || 50, 1), 1_000);
    return connectionHistory(call, connection_id, { limit: wanted });
  },
};
