import type { QuestionKind } from './question-kind.ts';
import { exactText } from './question-words.ts';

/** Ask Each Time: a client without an approval uses a connection. */
export const accessQuestion: QuestionKind<'access'> = {
  Facts: ({ question }) => (
    <>
      <dt>Wants to begin with</dt>
      <dd>{exactText(question.wants)}</dd>
    </>
  ),
  statement: ({ statement }) => statement,
  footnote:
    '“Allow once” applies to this request only. “Allow until Trestle stops” applies to this client and this connection, and you can withdraw it in Settings → Integrations → Clients. A refusal holds for one minute. External Clients and AI Policy, in the connection’s Advanced section, set what the client may do.',
  allowOnce: 'Allow once',
  allow: { label: 'Allow until Trestle stops', variant: 'plain' },
};
