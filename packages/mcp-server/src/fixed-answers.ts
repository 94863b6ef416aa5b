import { bridgeProcessHeader } from '@trestle/handshake';

/**
 * Answers that are the same for everybody until the app is updated, kept as text: a list of tools has some 40 kB,
 * and composing it takes longer than all the rest. One is found again by everything that the protocol layer looks
 * at, headers included, so that a message it refuses never gets the answer to one that it took.
 */
export class FixedAnswers {
  readonly #kept = new Map<string, { result: string; headers: Headers }>();

  find(request: Request, body: unknown): Response | undefined {
    const asked = readAsked(request, body);
    const kept = asked && this.#kept.get(asked.key);
    return kept && new Response(beginning + kept.result + ending(asked.id), { headers: kept.headers });
  }

  /** Gives the response on as it was. */
  async keep(request: Request, body: unknown, response: Response): Promise<Response> {
    const asked = readAsked(request, body);
    if (!asked || response.status !== 200) return response;
    const text = await response.text();
    const end = ending(asked.id);
    if (text.startsWith(beginning) && text.endsWith(end)) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size >= maxKept) this.#kept.delete(oldest);
      const { headers } = response;
      this.#kept.set(asked.key, { result: text.slice(beginning.length, -end.length), headers });
    }
    return new Response(text, response);
  }
}

const maxKept = 32;
const maxKeyLength = 4_000;
const fixedMethods = new Set(['server/discover', 'tools/list', 'prompts/list', 'resources/templates/list']);
/** Who asks and how long the message is. */
const otherHeaders = new Set(['authorization', 'content-length', bridgeProcessHeader.toLowerCase()]);

/** Undefined for a message whose answer may be another each time. */
function readAsked(request: Request, body: unknown): { key: string; id: string | number } | undefined {
  const { id, ...rest } = (body ?? {}) as { id?: unknown; method?: unknown };
  if (typeof rest.method !== 'string' || !fixedMethods.has(rest.method)) return undefined;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  const headers = [...request.headers].filter(([name]) => !otherHeaders.has(name));
  const key = JSON.stringify([headers, rest]);
  return key.length <= maxKeyLength ? { key, id: id as string | number } : undefined;
}

const beginning = '{"result":';

function ending(id: string | number): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
