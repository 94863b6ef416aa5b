import type { OwnText } from '@trestle/core';
import { z } from 'zod';
import type { ToolAnswer } from '../answer/answer.ts';
import { schemaAnswer, tableAnswer } from '../description/schema.ts';
import { hoist } from '../hoisted-schema.ts';
import type { ToolCall } from '../tools/tool.ts';

type PromptArgument = 'connection_id' | 'table' | 'query' | 'question' | 'goal' | 'limit';

/**
 * A message that the user picks in the client. It contains live data of the connection: its schema, a table's
 * description or the query history. All prompts are listed in index.ts.
 */
export interface PromptDefinition {
  name: string;
  title: string;
  description: string;
  required: readonly PromptArgument[];
  optional?: readonly PromptArgument[];
  /** The lines of the message that come before the data. */
  words(args: PromptArguments): OwnText[];
  data(args: PromptArguments, call: ToolCall): Promise<ToolAnswer>;
}

export type PromptArguments = Partial<Record<PromptArgument, string>>;

export const schemaOf: PromptDefinition['data'] = ({ connection_id = '' }, call) =>
  schemaAnswer(call, connection_id);

export const tableOf: PromptDefinition['data'] = ({ connection_id = '', table = '' }, call) =>
  tableAnswer(call, { connection: connection_id, table });

const descriptions: Record<PromptArgument, string> = {
  connection_id: 'Id or unique name of a connection',
  table: 'Name of a table or collection',
  query: 'The statement to look at',
  question: 'What you want to know, in your own words',
  goal: 'What the search is for',
  limit: 'How many statements to look at; 50 by default',
};

export function promptSchema({ required, optional = [] }: PromptDefinition) {
  const shape: Record<string, z.ZodType> = {};
  for (const name of required) shape[name] = z.string().min(1).describe(descriptions[name]);
  for (const name of optional) shape[name] = z.string().optional().describe(descriptions[name]);
  return hoist(z.object(shape));
}
