import type { PromptDefinition } from './prompt.ts';
import { questionToQuery, reviewQuery, summarizeQueryHistory } from './query-prompts.ts';
import { dataQualityAudit, designVectorSearch, explainSchema, explainTable } from './schema-prompts.ts';

/** In the order in which a client lists them. */
export const prompts: readonly PromptDefinition[] = [
  explainSchema,
  explainTable,
  dataQualityAudit,
  questionToQuery,
  designVectorSearch,
  reviewQuery,
  summarizeQueryHistory,
];
