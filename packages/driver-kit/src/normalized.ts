/**
 * `text.normalize(form)` in linear time. Normalizing sorts the combining marks of a letter (such as accents), in
 * quadratic time: a letter with a million marks would take minutes. So a letter keeps only its first 30 marks, as many
 * as Unicode's Stream-Safe Text Format allows (UAX #15). The two half-width sound marks of Japanese (U+FF9E, U+FF9F)
 * count too: they are letters, but NFKC and NFKD turn them into combining marks.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(/([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu, '$1').normalize(form);
}

/**
 * Makes texts equal that differ only in case or in the Unicode form of their accents. `toLowerCase` writes a Σ at the
 * end of a word as ς and any other Σ as σ. So ς becomes σ here.
 */
export function foldText(text: string): string {
  return normalized(text, 'NFC').toLowerCase().replaceAll('ς', 'σ');
}
