import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';

/** Counts tokens of the encoding cl100k. A model's own count may differ. */
export { countTokens };

/** The tokens of a list of tools, written as JSON. */
export function tokensOfTools(tools: readonly unknown[]): number {
  return countTokens(JSON.stringify(tools));
}

/** The tokens of an answer: each text as it is, everything else as JSON. */
export function tokensOfAnswer({ content = [], structuredContent }: Answer): number {
  const parts = content.map((part) => (part.type === 'text' ? (part.text ?? '') : JSON.stringify(part)));
  if (structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return countTokens(parts.join('\n'));
}

interface Answer {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
}
