import { answerBeginning, answerEnding, frameKey, keepAtMost, readId } from './frame-key.ts';
import type { TextAnswer } from './send.ts';
import { tools } from './tools/index.ts';
import type { Tool } from './tools/tool.ts';

/** What a call of a tool has apart from its id and its arguments, as the protocol layer took and answered it. */
interface Frame {
  headers: TextAnswer['headers'];
  /** What the protocol layer adds to a result, from its last field on. */
  addition: string;
}

/**
 * Calls come in frames that hardly differ: the same headers, the same tool, the same client. One that the protocol
 * layer has served before need not go through it again, which takes longer than most queries. What it has not seen in
 * every detail, what asks for progress, and what fails in its own words goes to it.
 */
export class KnownFrames {
  readonly #known = new Map<string, Frame>();

  /** How a result goes out; undefined where the protocol layer must have its say. */
  find({ key, id }: PlainCall): ((result: object) => TextAnswer) | undefined {
    const frame = this.#known.get(key);
    if (!frame) return undefined;
    return (result) => ({
      status: 200,
      headers: frame.headers,
      text: answerBeginning + JSON.stringify(result).slice(0, -1) + frame.addition + answerEnding(id),
    });
  }

  /** `result` is what the protocol layer was given for this answer. */
  learn({ key, id }: PlainCall, result: object, { status, headers, text }: TextAnswer): void {
    const beginning = answerBeginning + JSON.stringify(result).slice(0, -1);
    const end = answerEnding(id);
    if (status !== 200 || !text.startsWith(`${beginning},`) || !text.endsWith(end)) return;
    this.#known.set(key, { headers, addition: text.slice(beginning.length, -end.length) });
    keepAtMost(this.#known, 256);
  }
}

export interface PlainCall {
  key: string;
  id: string | number;
  tool: Tool;
  args: Record<string, unknown> | undefined;
}

/** Undefined for whatever is not a call of a tool and nothing else. */
export function readPlainCall(rawHeaders: string[], body: unknown): PlainCall | undefined {
  const { id: _, params, ...rest } = (body ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
  if (rest.method !== 'tools/call' || !isObject(params)) return undefined;
  const { arguments: args, ...frame } = params;
  // The protocol layer leaves `__proto__` out of what it hands on.
  if (args !== undefined && (!isObject(args) || Object.hasOwn(args, '__proto__'))) return undefined;
  const tool = typeof frame.name === 'string' ? byName.get(frame.name) : undefined;
  if (!tool || Object.keys(frame).some((name) => name !== 'name' && name !== '_meta')) return undefined;
  // Progress goes out on the answer's own stream, which is the protocol layer's.
  if (!isObject(frame._meta) || frame._meta.progressToken !== undefined) return undefined;
  const id = readId(body as object);
  const key = frameKey(rawHeaders, [rest, frame]);
  return id === undefined || key === undefined ? undefined : { key, id, tool, args };
}

const byName = new Map(tools.map((tool) => [tool.name, tool]));

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
