import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { api } from '../shared/api.ts';
import type { PendingApproval } from '../shared/api-types.ts';
import { Button } from '../shared/button.tsx';
import { classNames } from '../shared/class-names.ts';
import { ConnectionWord } from '../shared/connection-word.tsx';
import dialog from '../shared/dialog.module.css';
import { ErrorNote } from '../shared/error-note.tsx';
import { queryClient, useConnection } from '../shared/queries.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { showToast } from '../shared/toast.tsx';
import styles from './approvals.module.css';
import { QuestionBody } from './question-body.tsx';
import { kindOf } from './question-kinds.ts';
import { goneWords } from './question-words.ts';
import { useArmed } from './use-armed.ts';
import { usePendingApprovals } from './use-pending-approvals.ts';

/** Shows the questions of waiting clients, one at a time, above everything else that is open. */
export function ApprovalsDialog() {
  const pending = usePendingApprovals();
  const [answered] = useState(() => new Set<string>());
  const seen = useGoneNotice(pending, answered);
  const question = pending[0];
  // The last question stays visible while the dialog fades out.
  const [shown, setShown] = useState(question);
  if (question && question !== shown) setShown(question);
  const [failure, setFailure] = useState<{ id: string; error: unknown } | null>(null);
  const refuse = useRef<HTMLButtonElement>(null);
  const armed = useArmed(question?.id);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each question starts with the focus on Refuse
  useEffect(() => {
    refuse.current?.focus();
  }, [question?.id]);

  const answer = async (how: 'allow' | 'allowOnce' | 'refuse') => {
    if (!question || !armed.isArmed() || answered.has(question.id)) return;
    answered.add(question.id);
    try {
      await api.approvals.answer.mutate({ id: question.id, answer: how });
    } catch (error) {
      answered.delete(question.id);
      setFailure({ id: question.id, error });
      // If the question disappeared meanwhile, `useGoneNotice` took it for answered and showed no notice.
      if (!seen.current.some(({ id }) => id === question.id)) showToast(goneWords(question, new Date()));
    }
    await queryClient.invalidateQueries({ queryKey: queryKeys.approvals });
  };

  return (
    <AlertDialog.Root open={question !== undefined}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={classNames(dialog.backdrop, dialog.top)} forceRender />
        <AlertDialog.Viewport className={classNames(dialog.viewport, dialog.top)}>
          <AlertDialog.Popup
            className={classNames(dialog.popup, dialog.medium)}
            initialFocus={refuse}
            onKeyDown={(event) => {
              // The key must not reach a dialog below or a shortcut of the window.
              event.stopPropagation();
              if (event.key === 'Escape') void answer('refuse');
              armed.onKeyDown();
            }}
          >
            {shown && (
              <>
                <header className={classNames(dialog.header, styles.header)}>
                  <AlertDialog.Title className={dialog.title}>{shown.title}</AlertDialog.Title>
                  <WordOf connectionId={shown.connection.id} />
                  {pending.length > 1 && (
                    <span className={styles.more} role="status">
                      {pending.length - 1} more {pending.length === 2 ? 'question' : 'questions'} after this
                    </span>
                  )}
                </header>
                <AlertDialog.Description className={dialog.body} render={<div />}>
                  <QuestionBody question={shown} />
                  {failure?.id === shown.id && <ErrorNote error={failure.error} />}
                </AlertDialog.Description>
                <footer className={dialog.footer}>
                  <Button ref={refuse} onClick={() => answer('refuse')}>
                    Refuse
                  </Button>
                  {kindOf(shown).allowOnce && (
                    <Button onClick={() => answer('allowOnce')}>{kindOf(shown).allowOnce}</Button>
                  )}
                  <Button variant={kindOf(shown).allow.variant} onClick={() => answer('allow')}>
                    {kindOf(shown).allow.label}
                  </Button>
                </footer>
              </>
            )}
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** The short word of the connection (PROD), if it has one. */
function WordOf({ connectionId }: { connectionId: string }) {
  return <ConnectionWord connection={useConnection(connectionId)} />;
}

/** Shows a notice if a question disappears and this window did not answer it. Returns the latest questions. */
function useGoneNotice(
  pending: PendingApproval[],
  answered: ReadonlySet<string>,
): RefObject<PendingApproval[]> {
  const before = useRef<PendingApproval[]>([]);
  useEffect(() => {
    const gone = before.current.filter(
      ({ id }) => !answered.has(id) && !pending.some((question) => question.id === id),
    );
    for (const question of gone) showToast(goneWords(question, new Date()));
    before.current = pending;
  }, [pending, answered]);
  return before;
}
