import { type OwnText, own, ownAmount, ownHex } from '../own-text.ts';
import type { ApprovalQuestion, PendingApproval, UserAnswer } from '../types.ts';
import type { ApprovalQueue } from './approval-queue.ts';
import type { LeftQuestions, Subject } from './left-questions.ts';

/**
 * Keeps a question that no window could show, so that the user can answer it at a terminal. Returns the hint for the
 * refused client.
 */
export type LeaveQuestion = (
  question: ApprovalQuestion,
  options: {
    subject: Subject;
    tokenId: string;
    /** The client and the subject that a refusal covers. */
    refusable: string;
    onAnswer(answer: UserAnswer): void;
  },
) => Promise<OwnText>;

export function createLeaveQuestion({
  queue,
  left,
  hasPassphrase,
}: {
  queue: ApprovalQueue;
  left: LeftQuestions;
  /** Whether the user can allow a question at a terminal. */
  hasPassphrase(): Promise<boolean>;
}): LeaveQuestion {
  return async (question, { subject, ...asker }) => {
    if (!(await hasPassphrase())) return setPassphraseHint;
    const compose = () => queue.compose(question, { forMs: left.keepMs, clientWaits: false });
    const waiting = left.leave(subject, { ...asker, compose });
    return waiting ? answerHint(waiting, left.keepMs) : crowdedHint;
  };
}

const setPassphraseHint = own`Without a display, the user first runs \`trestle passphrase set\` at a terminal. The next refusal then names the command that allows the call.`;

const crowdedHint = own`Too many questions wait already. The user answers them at a terminal: \`trestle approvals\` lists them.`;

function answerHint({ shortId }: PendingApproval, keepMs: number): OwnText {
  const minutes = ownAmount(Math.max(1, Math.round(keepMs / 60_000)), own`minute`);
  return own`Without a display, the user runs \`trestle approvals allow ${ownHex(shortId)}\` at a terminal within ${minutes}; then try again. \`trestle approvals\` shows the question.`;
}
