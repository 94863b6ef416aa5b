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

/** For lists that hardly ever change: the last one, and what an older client was told for it. */
export class KnownLists {
  readonly #known = new Map<string, { from: string; to: string }>();

  get(method: string, from: string): string | undefined {
    const known = this.#known.get(method);
    return known?.from === from ? known.to : undefined;
  }

  set(method: string, from: string, to: string): void {
    if (method.endsWith('/list')) this.#known.set(method, { from, to });
  }
}
