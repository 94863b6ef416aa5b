import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';

/** Everything here is counted in cl100k tokens: close enough to any model's own, and the same on every machine. */
export { countTokens };

/** A list of tools as a client shows it to its model. */
export function tokensOfTools(tools: readonly unknown[]): number {
  return countTokens(JSON.stringify(tools));
}

/** An answer as a client shows it to its model: each text as it is, everything else as JSON. */
export function tokensOfAnswer({ content = [], structuredContent }: Answer): number {
  const parts = content.map((part) => (part.type === 'text' ? (part.text ?? '') : JSON.stringify(part)));
  if (structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return countTokens(parts.join('\n'));
}

interface Answer {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
}
