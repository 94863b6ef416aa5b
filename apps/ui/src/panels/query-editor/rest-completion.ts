import { type Completion, type CompletionSource, snippet } from '@codemirror/autocomplete';
import type { EditorRequests, RequestPath } from '@trestle/driver-kit';
import { requestBlocks } from './request-blocks.ts';

/** Completes request lines from the paths and methods that the driver lists. */
export function restCompletion(requests: EditorRequests, tables: string[]): CompletionSource {
  return ({ state, pos, explicit }) => {
    const line = state.doc.lineAt(pos);
    const offered = offersFor(line.text.slice(0, pos - line.from), requests, tables);
    if (!offered || (offered.from === pos - line.from && !explicit && offered.part === 'method')) return null;
    const from = line.from + offered.from;
    if (offered.part === 'method' && !startsRequest(state.sliceDoc(0, from))) return null;
    const validFor =
      offered.part === 'method' ? /^\w*$/ : offered.part === 'path' ? /^[^\s?]*$/ : /^[^\s&]*$/;
    return { from, options: offered.options, validFor };
  };
}

/** Whether a method after this text would start a request. A word inside an operation or a body is not a method. */
function startsRequest(before: string): boolean {
  return requestBlocks(`${before}GET /`).at(-1)?.from === before.length;
}

export interface Offered {
  part: 'method' | 'path' | 'parameter';
  /** Where the completed part starts in the line. */
  from: number;
  typed: string;
  options: Completion[];
}

/**
 * The completions at the cursor. `before` is the line up to the cursor. Null if the cursor is not in the method, the
 * path or the parameters of a request, or if the driver lists no path for the method.
 */
export function offersFor(before: string, requests: EditorRequests, tables: string[]): Offered | null {
  const word = /^\s*([A-Za-z]*)$/.exec(before);
  if (word) {
    const typed = word[1]!;
    const options = methodsOf(requests).map(
      (method): Completion => ({ label: method, type: 'keyword', apply: `${method} `, boost: 5 }),
    );
    return { part: 'method', from: before.length - typed.length, typed, options };
  }
  const [, method, target] = /^\s*([A-Za-z]+)[ \t]+(\S*)$/.exec(before) ?? [];
  if (method === undefined || target === undefined) return null;
  const ofMethod = requests.paths.filter((path) => path.method === method.toUpperCase());
  if (ofMethod.length === 0) return null;
  const [route = '', query] = target.split('?', 2);
  const prefix = requests.prefix && route.startsWith(requests.prefix) ? requests.prefix : '';
  if (query === undefined) {
    const options = ofMethod.flatMap((path) => pathOptions(path, prefix, tables));
    return { part: 'path', from: before.length - target.length, typed: target, options };
  }
  const typed = query.split('&').at(-1)!;
  const given = new Set(query.split('&').map((one) => one.split('=')[0]));
  given.delete(typed.split('=')[0]!);
  const options = ofMethod
    .filter(({ path }) => isRoute(path, route.slice(prefix.length)))
    .flatMap(({ parameters = [] }) => parameters)
    .filter((parameter) => !given.has(parameter.split('=')[0]))
    .flatMap((parameter) => expanded(parameter, tables, encodeURIComponent))
    .map(({ text }): Completion => ({ label: text, type: 'property' }));
  return { part: 'parameter', from: before.length - typed.length, typed, options };
}

function methodsOf({ paths }: EditorRequests): string[] {
  return [...new Set(paths.map(({ method }) => method))];
}

function pathOptions(path: RequestPath, prefix: string, tables: string[]): Completion[] {
  return expanded(path.path, tables, encodeURIComponent).map(({ text, table }) => {
    const inBody = table === undefined ? '' : JSON.stringify(table).slice(1, -1);
    // A function, because `$&` in a replacement string would stand for the match.
    const body = path.body?.replaceAll('{table}', () => inBody);
    const whole = `${prefix}${text}${body === undefined ? '' : `\n${body}`}`;
    return {
      label: `${prefix}${text}`,
      detail: path.summary,
      type: 'text',
      // A path with a placeholder is inserted as a template, any other path as plain text. The body follows the path.
      apply: /\{\w+\}/.test(text) ? snippet(templateOf(whole, `${prefix}${text}`.length)) : whole,
    };
  });
}

/** The library turns `#{name}` into a field that the user fills in. The braces of a body are escaped: they are text. */
function templateOf(text: string, pathEnds: number): string {
  const body = text.slice(pathEnds).replace(/[{}]/g, '\\$&');
  return text.slice(0, pathEnds).replace(/\{(\w+)\}/g, '#{$1}') + body;
}

/** The pattern once for each table. If it has no `{table}`, or if there are no tables, the pattern itself. */
function expanded(
  pattern: string,
  tables: string[],
  encode: (name: string) => string,
): { text: string; table?: string }[] {
  if (!pattern.includes('{table}') || tables.length === 0) return [{ text: pattern }];
  return tables.map((table) => ({ text: pattern.replaceAll('{table}', encode(table)), table }));
}

function isRoute(pattern: string, route: string): boolean {
  const wanted = pattern.split('/');
  const parts = route.split('/');
  return (
    wanted.length === parts.length &&
    wanted.every((part, at) => (/^\{\w+\}$/.test(part) ? parts[at] !== '' : part === parts[at]))
  );
}
