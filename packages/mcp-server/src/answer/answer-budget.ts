/** An answer stops at about this many tokens. Some clients refuse longer answers. */
const maxAnswerTokens = 8_000;

/** The number of tokens left in an answer. */
export class AnswerBudget {
  #left = maxAnswerTokens;

  /** Whether the text still fits. If so, its tokens are subtracted. */
  take(text: string): boolean {
    if (text.length > this.#left * longestToken) return false;
    const cost = estimateTokens(text) + 1;
    if (cost > this.#left) return false;
    this.#left -= cost;
    return true;
  }

  /** The texts before the first one that does not fit. `share`: the part of the budget that the texts may use. */
  takeAll(texts: string[], share = 1): string[] {
    const reserved = Math.ceil(this.#left * (1 - share));
    this.#left -= reserved;
    const index = texts.findIndex((text) => !this.take(text));
    this.#left += reserved;
    return index === -1 ? texts : texts.slice(0, index);
  }

  /** As much of the beginning of a text as fits. */
  takeStart(text: string): string {
    if (this.take(text)) return text;
    let length = Math.min(text.length, this.#left * longestToken);
    while (length > 0 && !this.take(text.slice(0, length))) length = Math.floor(length * 0.9);
    return text.slice(0, length).toWellFormed();
  }
}

/**
 * Estimates the number of tokens in a text. A real tokenizer needs megabytes of tables. This function counts chunks of
 * the size that tokenizers produce: a few letters, up to three digits, a run of spaces, one or two other characters.
 */
function estimateTokens(text: string): number {
  return (text.match(pieces)?.length ?? 0) + (text.match(eastern)?.length ?? 0);
}

const pieces = / ?[A-Z]?[a-z]{1,7}| ?[A-Z]{1,3}|\d{1,3}|\s{1,16}|[!-/:-@[-`{-~]{1,2}|./gsu;
/** Characters that take about two tokens each: most Asian scripts, symbols, emoji. */
const eastern = /[\u{800}-\u{10ffff}]/gu;
/** The largest number of characters in a chunk. */
const longestToken = 16;
