import { normalized } from '@trestle/driver-kit';

/**
 * Reduces a name to how a person reads it: without letter case, blanks, accents, punctuation, symbols and invisible
 * characters. Look-alikes are replaced by Latin letters. Two names that look the same must count as one name.
 */
export function readingOf(name: string): string {
  return [...normalized(name, 'NFKD').toLowerCase()]
    .map((letter) => lookAlikes[letter] ?? letter)
    .join('')
    .replace(/[\p{C}\p{Z}\p{M}\p{P}\p{S}\p{Default_Ignorable_Code_Point}]/gu, '');
}

export function hasUnseen(name: string): boolean {
  return /[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(name);
}

/** Look-alikes of Latin small letters, most of them Cyrillic, Greek or Armenian. Source: Unicode's confusables. */
const lookAlikes: Record<string, string> = Object.fromEntries(
  [
    ['a', 'аα'],
    ['b', 'ьƅ'],
    ['c', 'сϲ'],
    ['d', 'ԁ'],
    ['e', 'еҽ'],
    ['g', 'ɡց'],
    ['h', 'һհ'],
    ['i', 'іιıɩ'],
    ['j', 'јϳ'],
    ['l', 'ӏ|'],
    ['n', 'ոп'],
    ['o', 'оοօ०0'],
    ['p', 'рρ'],
    ['q', 'ԛգ'],
    ['r', 'гᴦ'],
    ['s', 'ѕꜱ'],
    ['t', 'тτ'],
    ['u', 'սυ'],
    ['v', 'ѵν'],
    ['w', 'ԝա'],
    ['x', 'хχ'],
    ['y', 'уγү'],
  ].flatMap(([latin, others]) => [...others!].map((other) => [other, latin!])),
);
