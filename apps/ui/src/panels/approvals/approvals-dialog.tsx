import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { ConnectionWord } from '../../controls/connection-sign/connection-word.tsx';
import dialog from '../../controls/dialogs/dialog.module.css';
import { TextField } from '../../controls/fields/text-field.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import { ApiError, api, toApiError } from '../../data/api/api.ts';
import type { PendingApproval } from '../../data/api/api-types.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { showToast } from '../../data/messages/toast.tsx';
import { queryClient, useConnection } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import styles from './approvals.module.css';
import { aside, useAside } from './aside-questions.ts';
import { QuestionBody } from './question-body.tsx';
import { kindOf } from './question-kinds.ts';
import { asideWords, goneWords } from './question-words.ts';
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

/**
 * Says what Allow needs in a window that a printed link opened: a program could have opened it. Shows the field for the
 * passphrase, or how to set one.
 */
function AllowMeans(props: {
  allowing: 'passphrase' | 'impossible';
  passphrase: string;
  error: unknown;
  field: RefObject<HTMLInputElement | null>;
  onChange(passphrase: string): void;
}) {
  if (props.allowing === 'impossible') {
    return (
      <Note level="info">
        <p>
          You cannot allow this here yet: a program could have opened this window. Set an administrator
          passphrase at a terminal with <code>trestle passphrase set</code>, then type it here. The window
          that Trestle opens itself needs none.
        </p>
      </Note>
    );
  }
  const error = props.error ? toApiError(props.error) : null;
  return (
    <TextField
      ref={props.field}
      label="Administrator passphrase"
      type="password"
      help="Needed to allow, since a program could have opened this window. Asked once for each printed link or code."
      {...(error && { error: [error.message, error.hint].filter(Boolean).join('. ') })}
      value={props.passphrase}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

/** Whether this window may allow a question, and with what. Undefined until it is known. */
function useAllowing(isAsked: boolean) {
  return useQuery({
    queryKey: queryKeys.allowing,
    queryFn: ({ signal }) => api.approvals.allowing.query(undefined, { signal }),
    enabled: isAsked,
    // The user sets the passphrase at a terminal while the question is visible. No event says so.
    refetchInterval: ({ state }) => (state.data === 'impossible' ? 2_000 : false),
  }).data;
}

/** Longer than the usual pause between two keystrokes. */
const quietMs = 500;

/**
 * Whether a question may be answered yet. A question appears without warning, perhaps while the user types, and takes
 * the focus. An Enter or space that was meant for the editor must not answer it. So the dialog accepts no answer
 * until half a second has passed without a keystroke.
 */
function useArmed(questionId: string | undefined) {
  const armedAt = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    armedAt.current = questionId === undefined ? Number.POSITIVE_INFINITY : performance.now() + quietMs;
  }, [questionId]);
  return {
    isArmed: () => performance.now() >= armedAt.current,
    onKeyDown() {
      if (performance.now() < armedAt.current) armedAt.current = performance.now() + quietMs;
    },
  };
}
