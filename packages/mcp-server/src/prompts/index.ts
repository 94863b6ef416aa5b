import type { PromptDefinition } from './prompt.ts';
import { questionToQuery, reviewQuery, summarizeQueryHistory } from './query-prompts.ts';
import { dataQualityAudit, designVectorSearch, explainSchema, explainTable } from './schema-prompts.ts';

/** In the order of the answer to `prompts/list`. */
export const prompts: readonly PromptDefinition[] = [
  explainSchema,
  explainTable,
  dataQualityAudit,
  questionToQuery,
  designVectorSearch,
  reviewQuery,
  summarizeQueryHistory,
];
