import type { QuestionKind } from './question-kind.ts';
import { exactText } from './question-words.ts';

/** The client has written the rows of an hour, and its next call would write more. */
export const budgetQuestion: QuestionKind<'budget'> = {
  Facts: ({ question }) => (
    <>
      <dt>Next call</dt>
      <dd>{exactText(question.wants)}</dd>
      {question.table !== null && (
        <>
          <dt>Table</dt>
          <dd>{exactText(question.table)}</dd>
        </>
      )}
    </>
  ),
  statement: ({ statement }) => statement,
  footnote:
    'A refusal holds for one minute, and the rows count for an hour. The limits are in Settings → Integrations → Server and in the connection’s Advanced section.',
  allow: { label: 'Allow one more hour’s rows', variant: 'plain' },
};
