import { fenced, joinOwn, type OwnText, own } from '@trestle/core';
import { AnswerBudget } from './answer-budget.ts';

/** An answer as a client gets it. Its type keeps every string out, except inside a fence. */
export interface ToolAnswer {
  text: OwnText;
  /** Set if the call did nothing that was asked for. The text then starts with a code, as that of a failure does. */
  isError?: true;
}

/** Data inside the fence, followed by Trestle's own text. */
export function dataAnswer(source: OwnText, data: string | string[], notes: OwnText[] = []): ToolAnswer {
  const text = typeof data === 'string' ? data : data.join('\n');
  return { text: ownLines([fenced(text, source), ...notes]) };
}

/** As many lines as fit. If some do not fit, `cut` gives a note that says so. */
export function linesAnswer(
  source: OwnText,
  lines: string[],
  { head = [], cut, notes = [] }: { head?: string[]; cut: (shown: number) => OwnText; notes?: OwnText[] },
): ToolAnswer {
  const shown = new AnswerBudget().takeAll(lines);
  const isCut = shown.length < lines.length;
  return dataAnswer(source, [...head, ...shown], isCut ? [...notes, cut(shown.length)] : notes);
}

export function ownLines(lines: OwnText[]): OwnText {
  return joinOwn(lines, own`\n`);
}

/** Data of a connection. The connection's name stays out, since a file or a program may have brought it. */
export const theDatabase = own`the database`;

// Only the functions below give text to the SDK, so no plain string becomes text of an answer.

export function toolResult({ text, isError }: ToolAnswer) {
  return { content: [textPart(text)], ...(isError && { isError }) };
}

export function resourceResult(at: { uri: string; mimeType: string }, text: OwnText) {
  return { contents: [{ ...at, text: text.toString() }] };
}

export function promptResult(description: string, text: OwnText) {
  return { description, messages: [{ role: 'user' as const, content: textPart(text) }] };
}

function textPart(text: OwnText) {
  return { type: 'text' as const, text: text.toString() };
}
