/** An answer stops at about this many tokens: some clients refuse more, and no model reads them. */
export const maxAnswerTokens = 8_000;

/** The room left in an answer. */
export class AnswerBudget {
  #left = maxAnswerTokens;

  /** Whether the text still fits; it is then accounted for. */
  take(text: string): boolean {
    if (text.length > this.#left * longestToken) return false;
    const cost = estimateTokens(text) + 1;
    if (cost > this.#left) return false;
    this.#left -= cost;
    return true;
  }

  /** The texts up to the first that does not fit. */
  takeAll(texts: string[]): string[] {
    const index = texts.findIndex((text) => !this.take(text));
    return index === -1 ? texts : texts.slice(0, index);
  }

  /** The beginning of a text, as much as still fits. */
  takeStart(text: string): string {
    if (this.take(text)) return text;
    let length = Math.min(text.length, this.#left * longestToken);
    while (length > 0 && !this.take(text.slice(0, length))) length = Math.floor(length * 0.9);
    return text.slice(0, length);
  }
}

/**
 * About how many tokens a model reads in a text. A real tokenizer needs a table of megabytes; this one counts pieces
 * of the size that tokenizers cut: few letters of one case, three digits, one or two signs.
 */
export function estimateTokens(text: string): number {
  return (text.match(pieces)?.length ?? 0) + (text.match(eastern)?.length ?? 0);
}

const pieces = / ?[A-Z]?[a-z]{1,7}| ?[A-Z]{1,3}|\d{1,3}|\s{1,16}|[!-/:-@[-`{-~]{1,2}|./gsu;
/** Scripts of which a sign takes about two tokens. */
const eastern = /[\u{800}-\u{10ffff}]/gu;
/** No piece has more characters. */
const longestToken = 16;
