import { clockWords } from '../../controls/text/date-words.ts';
import type { PendingApproval } from '../../data/api/api-types.ts';

/**
 * Shows control, format, surrogate, private-use and unassigned characters by their code, except line breaks and tabs.
 * Many such characters are invisible, and some reverse the order of the text. The user must see exactly the text that
 * runs.
 */
export function exactText(text: string): string {
  const name = (sign: string) => `⟨U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  return text.replace(/[^\P{C}\n\r\t]/gu, name);
}

/** The notice about a question that disappeared without an answer from this window. */
export function goneWords(question: PendingApproval, now: Date): { title: string; description: string } {
  const title = `“${question.clientName}” no longer asks about “${question.connection.name}”`;
  const isOver = Date.parse(question.expiresAt) <= now.getTime();
  return {
    title,
    description: isOver
      ? 'Nobody answered in time, so it was not allowed.'
      : 'The question was withdrawn, or it was answered in another window.',
  };
}

/** The notice about a question that the user put aside. */
export function asideWords({ clientName, expiresAt }: PendingApproval): {
  title: string;
  description: string;
} {
  return {
    title: `The question of “${clientName}” waits`,
    description: `Until ${clockWords(new Date(expiresAt))}. The mark at the left edge of the window opens it again.`,
  };
}
