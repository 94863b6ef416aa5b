import type { QuestionKind } from './question-kind.ts';
import { exactText } from './question-words.ts';

/** A collection's settings name an address that would get a stored key. */
export const endpointQuestion: QuestionKind<'endpoint'> = {
  Facts: ({ question }) => (
    <>
      <dt>Collection</dt>
      <dd>{exactText(question.table)}</dd>
      <dt>Keys</dt>
      <dd>{exactText(question.keys.join(', '))}</dd>
    </>
  ),
  statement: ({ endpoints }) => endpoints.map(({ setting, value }) => `${setting}: ${value}`).join('\n'),
  footnote:
    'Allow it only if you know the address. Your approval holds for this collection and address and for every client, also after a restart. You can withdraw it in Settings → Integrations → Clients. It ends when the connection or its keys change. A refusal holds for one minute.',
  allow: { label: 'Allow this address', variant: 'danger' },
};
