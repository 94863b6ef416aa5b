import { AnswerBudget } from './answer-budget.ts';
import { fenced } from './fence.ts';

/** An answer as a client gets it. */
export interface ToolAnswer {
  text: string;
}

/** Data inside the fence, followed by Trestle's own text. */
export function dataAnswer(source: string, data: string | string[], notes: string[] = []): ToolAnswer {
  const text = typeof data === 'string' ? data : data.join('\n');
  return { text: [fenced(text, source), ...notes].join('\n') };
}

/** As many lines as fit. If some do not fit, `cut` gives a note that says so. */
export function linesAnswer(
  source: string,
  lines: string[],
  { head = [], cut, notes = [] }: { head?: string[]; cut: (shown: number) => string; notes?: string[] },
): ToolAnswer {
  const shown = new AnswerBudget().takeAll(lines);
  const isCut = shown.length < lines.length;
  return dataAnswer(source, [...head, ...shown], isCut ? [...notes, cut(shown.length)] : notes);
}
