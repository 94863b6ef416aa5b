import type { PendingApproval } from '../shared/api-types.ts';
import { classNames } from '../shared/class-names.ts';
import code from '../shared/code-block.module.css';
import { connectionColor } from '../shared/connection-color.ts';
import { clockWords } from '../shared/date-words.ts';
import { Note } from '../shared/error-note.tsx';
import { Facts } from '../shared/facts.tsx';
import { useConnection } from '../shared/queries.ts';
import { tokenLabel } from '../shared/token-label.ts';
import styles from './approvals.module.css';
import { exactText, lossOf, wishOf } from './question-words.ts';

export function QuestionBody({ question }: { question: PendingApproval }) {
  const color = useConnection(question.connection.id)?.color ?? null;
  const until = clockWords(new Date(question.expiresAt));
  const isAccess = question.kind === 'access';
  return (
    <div className={styles.question}>
      {question.kind === 'destroy' && (
        <Note level="error">
          <p className={styles.summary}>{exactText(question.summary)}</p>
          <p>{exactText(lossOf(question))} This cannot be undone.</p>
          {question.again && (
            <p>
              You allowed it before, but the data or the schema has changed since: these are the current
              numbers.
            </p>
          )}
        </Note>
      )}
      <Facts>
        <dt>Client</dt>
        <dd>
          {question.clientName} <span className={styles.aside}>(the name it gives itself)</span>
        </dd>
        <dt>Comes through</dt>
        <dd>{tokenLabel(question.tokenName)}</dd>
        <dt>Connection</dt>
        <dd>
          <span className={styles.color} style={{ '--connection': connectionColor(color) }} />
          {question.connection.name}
        </dd>
        {question.kind === 'access' && (
          <>
            <dt>Wants to begin with</dt>
            <dd>{exactText(wishOf(question))}</dd>
          </>
        )}
        {question.kind === 'destroy' && question.reason && (
          <>
            <dt>Reason it gives</dt>
            <dd>“{exactText(question.reason)}”</dd>
          </>
        )}
      </Facts>
      {question.statement && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long statement is scrolled by keyboard too
        <section className={classNames(code.block, code.scrolling)} tabIndex={0} aria-label="Statement">
          {exactText(question.statement)}
        </section>
      )}
      <p className={styles.aside}>
        {isAccess
          ? '“Allow once” applies to this request only. “Allow until Trestle stops” applies to this client and this connection, and you can withdraw it under AI clients. A refusal holds for one minute.'
          : 'Your approval applies to one run of this statement. A refusal holds for one minute.'}{' '}
        If nobody answers by {until}, it is not allowed.
        {isAccess &&
          ' External Clients and AI Policy, in the connection’s Advanced section, set what the client may do.'}
      </p>
    </div>
  );
}
