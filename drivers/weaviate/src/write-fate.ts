import { wordsOf } from './failure.ts';

/**
 * The state of a write whose answer is not a success. `refused`: nothing was changed. `ended`: the server itself
 * reported a failure. It no longer works on the write, but may have made the change before. `open`: a proxy answered in
 * place of the server, or other nodes of a cluster may have made the change or may still make it.
 */
export function fateOfWrite({
  status,
  body,
}: {
  status: number;
  body: string;
}): 'refused' | 'ended' | 'open' {
  if (lateStatuses.has(status)) return 'open';
  if (status < 500) return 'refused';
  return hasServerForm(body) && !mayBeElsewhere(wordsOf(body)) ? 'ended' : 'open';
}

/** A proxy gave up waiting. Statuses from 500 are judged by their body. */
const lateStatuses = new Set([408, 499]);

/** Whether the body has the form of Weaviate's own errors. A gateway may send another form, such as a web page. */
function hasServerForm(body: string): boolean {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return Array.isArray(error);
  } catch {
    return false;
  }
}

/** Whether one node reports that it does not know what another node did with the object. */
export function mayBeElsewhere(said: string): boolean {
  return namesNodeRequest(withoutNames(said)) || nodeWords.test(withoutValues(said));
}

/** The server stores an object before it updates the indexes, so after an index error the object may be stored. */
export function mayBeStored(said: string): boolean {
  return mayBeElsewhere(said) || /\bshard\b|vector index|inverted ind/i.test(withoutValues(said));
}

/** Words of the servers 1.27.27 and 1.39.0 about a write that other nodes take part in (read from their binaries). */
const nodeWords = new RegExp(
  [
    'replicate (?:insertion|deletion|single update)',
    '(?:put|update|delete) remote object',
    'broadcast:',
    'cannot achieve consistency level',
    'cannot reach enough replicas',
    'not enough replicas',
    'local index not ready',
    // The answer of another node, over HTTP and over gRPC.
    'unexpected status code \\d+ \\(',
    'status code: \\d+, error:',
    'rpc error: code =',
    'context deadline exceeded',
    'context canceled',
  ].join('|'),
);

/** Whether the text contains Go's error of a failed request to another node, with the URL in double quotes. */
function namesNodeRequest(said: string): boolean {
  const requests = said.matchAll(/\b(?:Get|Post|Put|Patch|Delete) "https?:\/\/([^"\s]+)"/g);
  return requests.some(([, address = '']) => address.indexOf('/indices/') > 0);
}

/** Leaves out text in quotes, single or double: the names and values of the user. They may contain any words. */
function withoutValues(said: string): string {
  // `\\.` skips an escaped quote. Otherwise, if a closing quote is missing, the search would start again at each
  // escaped quote, and a long text would take very long.
  return withoutNames(said).replace(/\\.|"(?:[^"\\]|\\.)*"/g, (part) => (part.startsWith('"') ? '""' : part));
}

/** Leaves out text in single quotes. An apostrophe inside a word is no quote. */
function withoutNames(said: string): string {
  return said.replace(/(?<!\w)'[^']*'(?!\w)/g, "''");
}
