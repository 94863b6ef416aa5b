import { normalized } from './normalized.ts';

/**
 * Reduces a name to how a person reads it: without letter case, blanks, accents, punctuation, symbols and invisible
 * characters. Look-alikes are replaced by Latin letters, and `l` and `1` by `i`, which a capital I looks like. Two names
 * that look the same must count as one name.
 */
export function readingOf(name: string): string {
  return [...normalized(name.replace(/[™℠]/g, '').replaceAll('\\/', 'v'), 'NFKD').toLowerCase()]
    .map((letter) => lookAlikes[letter] ?? boxed(letter) ?? letter)
    .join('')
    .replace(/[\p{C}\p{Z}\p{M}\p{P}\p{S}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm');
}

/**
 * Also the blanks that look like a usual one. The wide blank of Japanese and Chinese is seen, and so are the joiners
 * inside an emoji and between Arabic letters: they change what is drawn.
 */
export function hasUnseen(name: string): boolean {
  const rest = name
    .replace(/\p{RGI_Emoji}/gv, '')
    .replace(/(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu, '');
  return /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?![ \u3000])\p{Zs}/u.test(rest);
}

/** The letter of an emoji that shows a letter: white on a circle or a square, or of a flag. Unicode does not decompose these. */
function boxed(sign: string): string | undefined {
  const code = sign.codePointAt(0) ?? 0;
  const first = [0x1f150, 0x1f170, 0x1f1e6].find((start) => code >= start && code < start + 26);
  if (first === undefined) return undefined;
  const letter = String.fromCodePoint(0x61 + code - first);
  return lookAlikes[letter] ?? letter;
}

/**
 * Look-alikes of Latin letters: Cyrillic, Greek, Coptic, Armenian, Cherokee, Lisu, symbols and small capitals. A capital letter is listed
 * if it looks Latin, even if its small letter does not. Source: Unicode's confusables.
 */
const lookAlikes: Record<string, string> = Object.fromEntries(
  [
    ['a', 'аαɑᴀᎪꓮⲀ@'],
    ['b', 'ьƅвβʙᏴꓐⲂ'],
    ['c', 'сϲᴄᏟꓚⲤ'],
    ['d', 'ԁᴅᎠꓓ'],
    ['e', 'еҽεᴇᎬꓰⲈɛꬲ℮ⴹ⋿'],
    ['g', 'ɡցɢᏀꓖ'],
    ['h', 'һհнʜᎻꓧⲎ'],
    ['i', 'іιıɩɪꓲl1|ӏʟᏞꓡⲒⳐł∣⏐ⵏ𐌠ןا'],
    ['j', 'јϳᴊᎫꓙ'],
    ['k', 'кκᴋᏦꓗⲔ'],
    ['m', 'мᴍᎷꓟⲘ'],
    ['n', 'ոпɴꓠⲚ'],
    ['o', 'оοօ०0ᴏꓳⲞ'],
    ['p', 'рρᴘᏢꓑⲢ'],
    ['q', 'ԛգ'],
    ['r', 'гᴦʀᎡꓣⲅꭇꭈꮁɾ'],
    ['s', 'ѕꜱᏚꓢՏ𐑈𑣁$'],
    ['t', 'тτᴛᎢꓔⲦ𐊗𐊱𐌕𑢼ŧƭʇ†₮⊤⟙🝨'],
    ['u', 'սυᴜ'],
    ['v', 'ѵνᴠ∨ꓦᏙ'],
    ['w', 'ԝաᴡꓪᎳшωѡ'],
    ['x', 'хχⲬ'],
    ['y', 'уγүʏⲨ'],
    ['z', 'ᴢ'],
  ].flatMap(([latin, others]) => [...others!.toLowerCase()].map((other) => [other, latin!])),
);
