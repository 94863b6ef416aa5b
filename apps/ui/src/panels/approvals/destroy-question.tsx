import { Note } from '../../data/messages/error-note.tsx';
import styles from './approvals.module.css';
import type { QuestionKind } from './question-kind.ts';
import { exactText } from './question-words.ts';

/** One run of one destructive statement. */
export const destroyQuestion: QuestionKind<'destroy'> = {
  Warning: ({ question }) => (
    <Note level="error">
      <p className={styles.summary}>{exactText(question.summary)}</p>
      <p>{exactText(question.loss)} This cannot be undone.</p>
      {question.again && (
        <p>
          You allowed it before, but the data or the schema has changed since: these are the current numbers.
        </p>
      )}
    </Note>
  ),
  Facts: ({ question }) =>
    question.reason && (
      <>
        <dt>Reason it gives</dt>
        <dd>“{exactText(question.reason)}”</dd>
      </>
    ),
  statement: ({ statement }) => statement,
  footnote: 'A refusal holds for one minute.',
  allow: { label: 'Run it and lose the data', variant: 'danger' },
};
