import { connectionColor } from '../../controls/connection-sign/connection-color.ts';
import { Facts } from '../../controls/marks/facts.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import code from '../../controls/styles/code-block.module.css';
import { clockWords } from '../../controls/text/date-words.ts';
import type { PendingApproval } from '../../data/api/api-types.ts';
import { tokenLabel } from '../../data/connections/token-label.ts';
import { useConnection } from '../../data/queries/queries.ts';
import styles from './approvals.module.css';
import { kindOf } from './question-kinds.ts';
import { exactText } from './question-words.ts';

/** What the client may do comes first, then who asks and where. */
export function QuestionBody({ question, canAllow }: { question: PendingApproval; canAllow: boolean }) {
  const color = useConnection(question.connection.id)?.color ?? null;
  const until = clockWords(new Date(question.expiresAt));
  const kind = kindOf(question);
  const statement = kind.statement(question);
  return (
    <div className={styles.question}>
      {kind.Warning && <kind.Warning question={question} />}
      <p className={styles.may}>{question.may}</p>
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
        <dt>Driver</dt>
        <dd>{exactText(question.driver)}</dd>
        {kind.Facts && <kind.Facts question={question} />}
      </Facts>
      {statement && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long statement is scrolled by keyboard too
        <section className={classNames(code.block, code.scrolling)} tabIndex={0} aria-label="Statement">
          {exactText(statement)}
        </section>
      )}
      <p className={styles.aside}>
        {!question.clientWaits &&
          'No window could ask you in time, so the client was refused. Your answer counts for its next try. '}
        {canAllow ? kind.footnote : 'A refusal holds for one minute.'} If nobody answers by {until}, it is not
        allowed.
      </p>
    </div>
  );
}
