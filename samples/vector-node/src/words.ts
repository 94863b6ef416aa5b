/**
 * The known words of a text. A known compound counts as one word ("x-ray"), an unknown compound as its parts. An
 * unknown word with accents counts without them ("dalí" as "dali"). Numbers are left out: a year would outweigh the
 * topic of the sentence.
 */
export function knownWords(text: string, isKnown: (word: string) => boolean): string[] {
  const words: string[] = [];
  for (const [compound] of text.normalize('NFC').toLowerCase().matchAll(COMPOUND)) {
    const whole = spelling(compound, isKnown);
    if (whole) words.push(whole);
    else for (const part of compound.split(JOINT)) words.push(spelling(part, isKnown) ?? '');
  }
  return words.filter((word) => word && !NUMBER.test(word));
}

/** The same stem for most forms of one word: land, lands, landed, landing. */
export function stem(word: string): string {
  const ending = /(?:ing|ed|es|er|ly|s|e)$/;
  return word
    .replace(/(?:ies|y)$/, 'i')
    .replace(ending, (match, at: number) => (at < 3 ? match : ''))
    .replace(/(.)\1$/, '$1');
}

const COMPOUND = /[\p{L}\p{N}]+(?:[-–'’][\p{L}\p{N}]+)*/gu;
const JOINT = /[-–'’]/u;
const NUMBER = /^\p{N}+$/u;
const ACCENT = /\p{M}/gu;

function spelling(word: string, isKnown: (word: string) => boolean): string | undefined {
  return [word, word.normalize('NFD').replace(ACCENT, '')].find(isKnown);
}
