import type { RpcId } from './messages.ts';

/** A result as the app writes it, with nothing in it that the bridge would have to look at. */
export interface PlainResult {
  /** The whole message, on one line. */
  text: string;
  /** The result alone. */
  result: string;
}

/**
 * Undefined for everything else: notifications, errors, tool results that are errors. A list of tools has some
 * 40 kB, and reading and writing it anew takes longer than the rest of the bridge together.
 */
export function plainResult(text: string, id: RpcId): PlainResult | undefined {
  const end = ending(id);
  if (!text.startsWith(beginning) || !text.endsWith(end)) return undefined;
  if (text.includes('\n') || text.includes('"isError":true')) return undefined;
  return { text, result: text.slice(beginning.length, -end.length) };
}

export function resultText(result: string, id: RpcId): string {
  return beginning + result + ending(id);
}

const beginning = '{"result":';

function ending(id: RpcId): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

/**
 * The result as an older client knows it, where all that only 2026-07-28 knows stands at its end, in the app's order.
 * Undefined for any other: it has to be read.
 */
export function olderResult(result: string): string | undefined {
  const end = result.lastIndexOf(',"resultType":"complete"');
  return end !== -1 && modernEnd.test(result.slice(end)) ? `${result.slice(0, end)}}` : undefined;
}

/** Nothing in it nests, so that its last brace is the result's own. */
const modernEnd =
  /^,"resultType":"complete"(?:,"ttlMs":\d+,"cacheScope":"\w+")?,"_meta":\{"io\.modelcontextprotocol\/serverInfo":\{[^{}]*\}\}\}$/;
