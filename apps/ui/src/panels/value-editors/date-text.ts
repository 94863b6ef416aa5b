import { momentWords, monthWord } from '../../controls/text/date-words.ts';

const plain = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/i;

/**
 * A date in the window's time zone, short: "16 Jul 1969, 14:32". A plain date is the same day in every zone,
 * so it is not converted. Null if the text is not read as a date.
 */
export function localDate(text: string): string | null {
  if (!plain.test(text) && !moment.test(text)) return null;
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  // `Date` may turn a date that does not exist, such as 31 February, into a day of the next month.
  if (new Date(text.slice(0, 10)).getUTCDate() !== day) return null;
  if (plain.test(text)) return `${day} ${monthWord(month! - 1)} ${year}`;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : momentWords(date);
}
