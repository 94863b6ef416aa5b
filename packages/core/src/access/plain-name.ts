import { normalized } from '@trestle/driver-kit';

/**
 * Reduces a name to how a person reads it: without letter case, blanks, accents, punctuation, symbols and invisible
 * characters. Look-alikes are replaced by Latin letters, and `l` and `1` by `i`, which a capital I looks like. Two names
 * that look the same must count as one name.
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

/**
 * Look-alikes of Latin letters: Cyrillic, Greek, Armenian, Cherokee, Lisu and small capitals. A capital letter is listed
 * if it looks Latin, even if its small letter does not. Source: Unicode's confusables.
 */
const lookAlikes: Record<string, string> = Object.fromEntries(
  [
    ['a', 'аαᴀᎪꓮ'],
    ['b', 'ьƅвβʙᏴꓐ'],
    ['c', 'сϲᴄᏟꓚ'],
    ['d', 'ԁᴅᎠꓓ'],
    ['e', 'еҽεᴇᎬꓰ'],
    ['g', 'ɡցɢᏀꓖ'],
    ['h', 'һհнʜᎻꓧ'],
    ['i', 'іιıɩɪꓲl1|ӏʟᏞꓡ'],
    ['j', 'јϳᴊᎫꓙ'],
    ['k', 'кκᴋᏦꓗ'],
    ['m', 'мᴍᎷꓟ'],
    ['n', 'ոпɴꓠ'],
    ['o', 'оοօ०0ᴏꓳ'],
    ['p', 'рρᴘᏢꓑ'],
    ['q', 'ԛգ'],
    ['r', 'гᴦʀᎡꓣ'],
    ['s', 'ѕꜱᏚꓢ'],
    ['t', 'тτᴛᎢꓔ'],
    ['u', 'սυ'],
    ['v', 'ѵν'],
    ['w', 'ԝա'],
    ['x', 'хχ'],
    ['y', 'уγү'],
  ].flatMap(([latin, others]) => [...others!.toLowerCase()].map((other) => [other, latin!])),
);
