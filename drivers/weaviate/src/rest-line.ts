import { DriverError, type Effect } from '@trestle/driver-kit';
import { connectBody, isConnectPath } from './connect-line.ts';
import { effectOfRequest } from './request-effect.ts';
import { foldCase, readStrictJson, type StrictJson } from './strict-json.ts';

/** A parsed request. The driver classifies and sends these parts, never the typed text. */
export interface RestLine {
  method: string;
  /** Decoded, below `/v1`: `['objects', 'Article']`. */
  segments: string[];
  /** `segments` encoded again, with `/v1` and without the query. */
  path: string;
  query: Record<string, string>;
  body: StrictJson | undefined;
  effect: Effect;
}

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const shape = new RegExp(`^(${methods.join('|')})[ \\t]+(\\S+)[ \\t]*([\\s\\S]*)$`, 'i');

/**
 * A line below the request line that begins with `#`. A JSON string has no line break, so no line of a body begins
 * inside a string. Not `^` with the flag `m`: it also matches after U+2028, which a JSON string may contain.
 */
const commentBelow = /\n[ \t]*#[^\n]*/g;

/** `<METHOD> <path>` with the body after it or on the next lines; null if the text is not a request line. */
export function readRestLine(text: string): RestLine | null {
  const [, verb, typed, rest] = shape.exec(withoutComments(text)) ?? [];
  if (!verb || !typed) return null;
  const method = verb.toUpperCase();
  const [route = '', ...query] = typed.split('?');
  const segments = segmentsOf(route);
  const path = ['/v1', ...segments.map(encodeURIComponent)].join('/');
  const body = (rest ?? '').replace(commentBelow, '').trim();
  const json = body === '' ? undefined : readStrictJson(body);
  if (json && (method === 'GET' || method === 'HEAD')) {
    throw refused(`${method} takes no body`, 'Put the parameters into the path.');
  }
  const isConnect = isConnectPath(path);
  if (isConnect && query.length > 0)
    throw refused(`${path} takes no parameters`, 'Leave out the part after ?.');
  return {
    method,
    segments,
    path,
    query: queryOf(query.join('?')),
    body: isConnect ? connectBody(method, path, json) : json,
    effect: effectOfRequest(method, path),
  };
}

function withoutComments(text: string): string {
  return text.replace(/^(\s*#[^\n]*(\n|$))+/, '').trim();
}

const hint = 'Write a path such as /schema or /objects?limit=5.';

/** The decoded segments below `/v1`. Refuses a route that could lead to another host or path than the user sees. */
function segmentsOf(route: string): string[] {
  if (/^[a-z][a-z0-9+.-]*:/i.test(route)) throw refused('An absolute address is not a path', hint);
  if (/^[/\\]{2}/.test(route) || route.includes('\\'))
    throw refused('The path starts with // or has a backslash', hint);
  if (route.includes('#')) throw refused('The path has a #', hint);
  // The server's router drops empty segments.
  const segments = route.split('/').filter((segment) => segment !== '');
  const plain = segments.map(decoded);
  return plain[0] === 'v1' ? plain.slice(1) : plain;
}

/**
 * Decodes once. Refuses a segment that could be decoded again: a server that decodes it twice would see another path.
 */
function decoded(segment: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(segment);
  } catch {
    throw refused('The path has a broken percent sign', hint);
  }
  if (/%[0-9a-f]{2}/i.test(plain)) throw refused('The path is encoded twice', hint);
  if (plain === '.' || plain === '..' || /[/\\]/.test(plain))
    throw refused('The path has the segment . or .., or an encoded slash or backslash', hint);
  if (/[\p{Cc}\u2028\u2029]/u.test(plain)) throw refused('The path has a control character', hint);
  return plain.toWellFormed();
}

function queryOf(typed: string): Record<string, string> {
  if (typed.includes('#')) throw refused('The path has a #', hint);
  const seen = new Map<string, string>();
  const parameters = [...new URLSearchParams(typed)];
  for (const [name] of parameters) {
    const other = seen.get(foldCase(name));
    if (other !== undefined) {
      throw refused(
        `The path has the parameter ${other} twice${other === name ? '' : `, as ${name} too`}`,
        hint,
      );
    }
    seen.set(foldCase(name), name);
  }
  return Object.fromEntries(parameters);
}

function refused(message: string, hint: string): DriverError {
  return new DriverError({ code: 'refused', message, hint });
}
