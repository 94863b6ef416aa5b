import { splitList } from '@trestle/driver-kit';
import { quoteItem } from './filter-draft.ts';

/** The list of a filter while the user types: the finished values, and the text after them. */
export interface ListText {
  values: string[];
  rest: string;
}

/** The values of a finished list; none if its text does not parse. */
export function readValues(text: string): string[] {
  try {
    return splitList(text);
  } catch {
    return [];
  }
}

/**
 * The values before the last comma, and the text after it. A comma in quotes does not count. Null if there is no such
 * comma, or if the text cannot be split now, for example while a quote is open.
 */
export function endedValues(text: string): ListText | null {
  try {
    const values = splitList(`${text}end`);
    const last = values.pop() ?? '';
    const rest = last.slice(0, -'end'.length).trim();
    return values.length > 0 ? { values, rest } : null;
  } catch {
    return null;
  }
}

/** Turns the last value back into text. A value with a comma is quoted, or it would become two values. */
export function reopenLast(values: string[]): ListText {
  const last = values.at(-1);
  return { values: values.slice(0, -1), rest: last === undefined ? '' : quoteItem(last) };
}

/** The text of the whole list, as the filter stores it. */
export function listText({ values, rest }: ListText): string {
  return [...values.map(quoteItem), ...(rest.trim() === '' ? [] : [rest])].join(', ');
}
