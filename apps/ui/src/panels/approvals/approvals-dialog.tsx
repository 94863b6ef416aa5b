import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { ConnectionWord } from '../../controls/connection-sign/connection-word.tsx';
import dialog from '../../controls/dialogs/dialog.module.css';
import { classNames } from '../../controls/styles/class-names.ts';
import { ApiError, api, toApiError } from '../../data/api/api.ts';
import type { PendingApproval } from '../../data/api/api-types.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import { queryClient, useConnection } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { AllowMeans } from './allow-means.tsx';
import styles from './approvals.module.css';
import { aside, useAside } from './aside-questions.ts';
import { QuestionBody } from './question-body.tsx';
import { kindOf } from './question-kinds.ts';
import { asideWords, goneWords } from './question-words.ts';
import { useAllowing } from './use-allowing.ts';
import { useArmed } from './use-armed.ts';
import { usePendingApprovals } from './use-pending-approvals.ts';

type Answer = 'allow' | 'allowOnce' | 'refuse';

/**
 * Shows the questions of clients, one at a time, above everything else that is open. Later and Escape put a question
 * aside: it waits, and the rail opens it again.
 */
export function ApprovalsDialog() {
  const pending = usePendingApprovals();
  const [answered] = useState(() => new Set<string>());
  const seen = useGoneNotice(pending, answered);
  const { ids: put } = useAside();
  const visible = pending.filter(({ id }) => !put.has(id));
  const question = visible[0];
  // The last question stays visible while the dialog fades out.
  const [shown, setShown] = useState(question);
  if (question && question !== shown) setShown(question);
  const [failure, setFailure] = useState<{ id: string; error: unknown; isPassphrase: boolean } | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const refuse = useRef<HTMLButtonElement>(null);
  const allow = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const armed = useArmed(question?.id);
  const allowing = useAllowing(question !== undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each question starts with the focus on Refuse
  useEffect(() => {
    setPassphrase('');
    setFailure(null);
    refuse.current?.focus();
  }, [question?.id]);

  const answer = async (how: Answer) => {
    if (!question || !armed.isArmed() || answered.has(question.id)) return;
    const { id } = question;
    const isTyped = how !== 'refuse' && allowing === 'passphrase';
    if (isTyped && passphrase === '') {
      // The app would count an empty field as a wrong guess.
      setFailure({ id, error: new ApiError(nothingTyped), isPassphrase: true });
      field.current?.focus();
      return;
    }
    answered.add(id);
    try {
      if (isTyped) await api.app.unlock.mutate({ passphrase });
      await api.approvals.answer.mutate({ id, answer: how });
    } catch (error) {
      answered.delete(id);
      const isPassphrase = isTyped && toApiError(error).code === 'passphrase_needed';
      setFailure({ id, error, isPassphrase });
      if (isPassphrase) field.current?.select();
      // If the question disappeared meanwhile, `useGoneNotice` took it for answered and showed no notice.
      if (!seen.current.some((one) => one.id === id)) showToast(goneWords(question, new Date()));
    }
    await queryClient.invalidateQueries({ queryKey: queryKeys.approvals });
  };

  const later = () => {
    if (!question || !armed.isArmed()) return;
    aside.put(question);
    showToast(asideWords(question));
  };

  const failed = failure && failure.id === shown?.id ? failure : null;
  const kind = shown && kindOf(shown);
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
              if (event.key === 'Escape') later();
              armed.onKeyDown();
            }}
          >
            {shown && kind && (
              <>
                <header className={classNames(dialog.header, styles.header)}>
                  <AlertDialog.Title className={dialog.title}>{shown.title}</AlertDialog.Title>
                  <WordOf connectionId={shown.connection.id} />
                  {visible.length > 1 && (
                    <span className={styles.more} role="status">
                      {visible.length - 1} more {visible.length === 2 ? 'question' : 'questions'} after this
                    </span>
                  )}
                </header>
                <AlertDialog.Description className={dialog.body} render={<div />}>
                  <QuestionBody question={shown} canAllow={allowing !== 'impossible'} />
                  {failed && !failed.isPassphrase && <ErrorNote error={failed.error} />}
                </AlertDialog.Description>
                <form
                  onSubmit={(event) => {
                    event.preventDefault();
                    // Enter in the field must not run a statement that destroys data: the button names that act.
                    if (kind.allow.variant === 'danger') allow.current?.focus();
                    else void answer(kind.allowOnce ? 'allowOnce' : 'allow');
                  }}
                >
                  {allowing && allowing !== 'nothing' && (
                    <div className={styles.means}>
                      <AllowMeans
                        allowing={allowing}
                        passphrase={passphrase}
                        error={failed?.isPassphrase ? failed.error : null}
                        field={field}
                        onChange={setPassphrase}
                      />
                    </div>
                  )}
                  <footer className={classNames(dialog.footer, styles.footer)}>
                    <Button variant="quiet" className={styles.later} onClick={later}>
                      Later
                    </Button>
                    <Button ref={refuse} onClick={() => answer('refuse')}>
                      Refuse
                    </Button>
                    {allowing && allowing !== 'impossible' && (
                      <>
                        {kind.allowOnce && (
                          <Button onClick={() => answer('allowOnce')}>{kind.allowOnce}</Button>
                        )}
                        <Button ref={allow} variant={kind.allow.variant} onClick={() => answer('allow')}>
                          {kind.allow.label}
                        </Button>
                      </>
                    )}
                  </footer>
                </form>
              </>
            )}
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

const nothingTyped = {
  code: 'passphrase_needed',
  message: 'Type the administrator passphrase here to allow it',
};

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
