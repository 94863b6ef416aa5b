/**
 * A name as a person reads it: without letter case, blanks, marks, and characters that cannot be seen, and with the
 * common look-alikes of Latin letters as those. Two names with one reading must not pass for two.
 */
export function readingOf(name: string): string {
  return [...name.normalize('NFKD').toLowerCase()]
    .map((letter) => lookAlikes[letter] ?? letter)
    .join('')
    .replace(/[\p{C}\p{Z}\p{M}\p{P}\p{S}\p{Default_Ignorable_Code_Point}]/gu, '');
}

export function hasUnseen(name: string): boolean {
  return /[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(name);
}

/** From Unicode's list of confusables, those of Latin small letters in Cyrillic, Greek, Armenian and Coptic. */
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
