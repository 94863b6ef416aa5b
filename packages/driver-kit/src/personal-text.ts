import { normalized } from './normalized.ts';

/** A kind of value that the user can mask. */
export type MaskPattern = 'email' | 'card' | 'phone';

/** Whether a text contains a value that one of the patterns matches. Runs in linear time. */
export function holdsPersonal(text: string, patterns: readonly MaskPattern[]): boolean {
  if (text.length < 5 || patterns.length === 0) return false;
  const plain = plainText(text).trim();
  return patterns.some((pattern) => tests[pattern](plain));
}

/** A whole number that looks like a card number, or like a phone number without separators. */
export function isPersonalNumber(number: number | bigint, patterns: readonly MaskPattern[]): boolean {
  const digits = String(number);
  return (
    (patterns.includes('card') && isCardNumber(digits)) ||
    (patterns.includes('phone') && phoneDigits.test(digits))
  );
}

/**
 * Unix times are not phone numbers. From 2001 to 2033 they begin with 1 and have 10 digits (seconds) or 13
 * (milliseconds). So a number that begins with 1 must have 11 digits.
 */
const phoneDigits = /^(?:1[2-9]\d{2}[2-9]\d{6}|[2-9]\d{9,12})$/;

function isCardNumber(digits: string): boolean {
  return cardForm.test(digits) && passesLuhn(digits);
}

const tests: Record<MaskPattern, (text: string) => boolean> = {
  email: (text) => emailForm.test(text),
  card: holdsCard,
  phone: (text) => !uuidForm.test(text) && phoneForms.some((form) => form.test(text)),
};

/**
 * One character before the @ is enough. A longer match would be retried from each character, in quadratic time. The
 * part after `|` is for a text that is one address without a dot (`ada@localhost`). It tries only one @, also to stay
 * linear.
 */
const emailForm = /[\p{L}\p{N}._%+'"-](?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|^\S[^\s@]*@\S+$/u;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const phoneForms = [
  // International: +49 (30) 123-456, 0049 30 123456.
  /(?<!\d)(?:\+|00)[1-9](?:[ ()./-]{0,2}\d){7,14}(?!\d)/,
  // North American: (415) 555-2671, (415)555-2671, 415.555.2671, 4155552671.
  /(?<![\w.])(?:1[ .-]?)?\([2-9]\d{2}\)[ .-]{0,2}[2-9]\d{2}[ .-]\d{4}(?!\w)/,
  /(?<![\w.])(?:1[ .-])?[2-9]\d{2}\)?[ .-]{1,2}[2-9]\d{2}[ .-]\d{4}(?!\w)/,
  /^1?[2-9]\d{2}[2-9]\d{6}$/,
  // National with a leading zero: 030 123456, 030 / 123456, (030)123456. A character must separate the groups.
  // Otherwise the regular expression would try all ways to split a long run of digits.
  /(?<![\w.:/-])(?:\(0[1-9]\d{0,4}\)[ /-]{0,3}|0[1-9]\d{0,4}\)?[ /-](?:[ /-]{1,2}(?=\d{5}))?)\d{3,}(?:[ /-]\d{2,}){0,3}(?![\w:])/,
  // National without separators: 01711234567. Ten digits after the word ISBN are a book number.
  /(?<![\w.:/-])(?!(?<=\bISBN(?:-10)?:? )\d{10}(?!\d))0[1-9]\d{7,11}(?![\w:])/i,
  // National in groups of two or more digits: 06 12 34 56 78, 0171 12 34 567.
  /(?<![\w.:/-])0[1-9](?<gap>[ .-])\d{2}(?:\k<gap>\d{2}){3}(?![\w:-])/,
  /(?<![\w.:/-])0[1-9]\d{1,4}[ /-]\d{2}(?:[ -]\d{2,}){2,3}(?![\w:])/,
  /\btel:\d/i,
];

/** Length and first digits of the card schemes in use. The Luhn check alone accepts one in ten numbers. */
const cardForm =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|6(?:011|5\d\d|4[4-9]\d|2\d\d)\d{12,15}|(?:50|5[6-9]|6[37])\d{10,17})$/;

/**
 * Reads groups of digits with one space, dash or dot between them. The first group has three digits or more, the others
 * two or more.
 */
function holdsCard(text: string): boolean {
  for (const [run] of text.matchAll(/\d{3,}(?:[ .-]\d{2,})*/g)) {
    const groups = run.split(/[ .-]/);
    for (let start = 0; start < groups.length; start++) {
      let digits = '';
      for (let end = start; end < groups.length && digits.length < 19; end++) {
        digits += groups[end];
        if (isCardNumber(digits)) return true;
      }
    }
  }
  return false;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Full-width characters, and most special spaces and dashes, become the normal ones. Removes zero-width characters and
 * marks of the writing direction, which some address books put around a number.
 */
function plainText(text: string): string {
  return /^[\n\r\t -~]*$/.test(text)
    ? text
    : normalized(text, 'NFKC')
        .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
        .replace(/[\u00A0\u2000-\u200A\u202F]/g, ' ')
        .replace(/[\u2010-\u2015\u2212]/g, '-');
}
