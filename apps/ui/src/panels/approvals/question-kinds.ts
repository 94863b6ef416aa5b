import type { PendingApproval } from '../../data/api/api-types.ts';
import { accessQuestion } from './access-question.tsx';
import { budgetQuestion } from './budget-question.tsx';
import { destroyQuestion } from './destroy-question.tsx';
import { endpointQuestion } from './endpoint-question.tsx';
import type { Kind, QuestionKind } from './question-kind.ts';

const kinds: { [One in Kind]: QuestionKind<One> } = {
  access: accessQuestion,
  budget: budgetQuestion,
  destroy: destroyQuestion,
  endpoint: endpointQuestion,
};

export function kindOf(question: PendingApproval): QuestionKind {
  return kinds[question.kind] as unknown as QuestionKind;
}
