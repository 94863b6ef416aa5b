import { fenced, own } from '@trestle/core';
import { type PromptDefinition, schemaOf, tableOf } from './prompt.ts';

export const explainSchema: PromptDefinition = {
  name: 'explain_schema',
  title: 'Explain this database',
  description: 'The content of the tables, and how they relate.',
  required: ['connection_id'],
  words: () => [
    own`Explain this database to somebody who has not seen it: what it is about, what each table holds, how`,
    own`the tables relate, and which of them matter most. Say what is a guess. Name nothing that does not`,
    own`exist.`,
  ],
  data: schemaOf,
};

export const explainTable: PromptDefinition = {
  name: 'explain_table',
  title: 'Explain this table',
  description: 'The content of a table or collection, column by column, and how to query it.',
  required: ['connection_id', 'table'],
  words: () => [
    own`Explain this table: what a row stands for, what each column means, which columns can be filtered and`,
    own`searched and how, and give three queries that are useful on it. Look at a few rows with browse_table`,
    own`before you say what a column holds.`,
  ],
  data: tableOf,
};

export const dataQualityAudit: PromptDefinition = {
  name: 'data_quality_audit',
  title: 'Check the data of a table',
  description: 'Missing, duplicate, malformed and unlikely values, found with queries.',
  required: ['connection_id', 'table'],
  words: () => [
    own`Check the quality of the data in this table. Use browse_table and execute_query, reading`,
    own`only. Look for missing values, duplicate rows, malformed values, references without a target`,
    own`and values that are out of range. Report each finding with the number of rows, an example by its key,`,
    own`and the query that finds it. Use only operators from the description below.`,
  ],
  data: tableOf,
};

export const designVectorSearch: PromptDefinition = {
  name: 'design_vector_search',
  title: 'Design a vector search',
  description: 'Which search mode, target vector, filters and limits fit a purpose.',
  required: ['connection_id', 'table'],
  optional: ['goal'],
  words: ({ goal }) => [
    goal
      ? own`Design a search on this collection for the purpose below.`
      : own`Design a search on this collection.`,
    own`Choose among the modes that run here, say which target vector, filters and alpha you would use and`,
    own`why, try it with vector_search on two or three realistic inputs, and judge what comes back. If no mode`,
    own`fits, say what the collection lacks.`,
    ...(goal ? [own``, fenced(goal, own`the purpose that the user gave`)] : []),
  ],
  data: tableOf,
};
