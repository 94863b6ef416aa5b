import { DriverError, type Effect } from '@trestle/driver-kit';
import { effectOfRequest } from './request-effect.ts';

export interface RestLine {
  method: string;
  /** With `/v1`, and the query as typed. */
  path: string;
  body: string | undefined;
  effect: Effect;
}

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const shape = new RegExp(`^(${methods.join('|')})[ \\t]+(\\S+)[ \\t]*([\\s\\S]*)$`, 'i');

/** `<METHOD> <path>` with the body behind it or beneath; null where the text is no request line. */
export function readRestLine(text: string): RestLine | null {
  const [, verb, typed, rest] = shape.exec(withoutComments(text)) ?? [];
  if (!verb || !typed) return null;
  const method = verb.toUpperCase();
  const path = pathOf(typed);
  const body = (rest ?? '').trim();
  if (body !== '' && !isJson(body)) {
    throw refused('The body is not JSON', 'One request at a time: everything after the path is its body.');
  }
  if (body !== '' && (method === 'GET' || method === 'HEAD')) {
    throw refused(`${method} takes no body`, 'Put the parameters into the path.');
  }
  return { method, path, body: body === '' ? undefined : body, effect: effectOfRequest(method, path) };
}

function withoutComments(text: string): string {
  return text.replace(/^(\s*#[^\n]*(\n|$))+/, '').trim();
}

/** The request must stay on the connection's host, at the place the reader sees. */
function pathOf(typed: string): string {
  const hint = 'Write a path such as /schema or /objects?limit=5.';
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) throw refused('An absolute address is not a path', hint);
  if (/^[/\\]{2}/.test(typed) || typed.includes('\\')) throw refused('The path names another host', hint);
  if (/[\p{Cc}\u2028\u2029]/u.test(typed)) throw refused('The path has a control character', hint);
  if (typed.includes('#')) throw refused('A path has no fragment', hint);
  const rooted = typed.startsWith('/') ? typed : `/${typed}`;
  const [route = '', ...query] = rooted.split('?');
  for (const segment of route.split('/')) {
    const plain = decoded(segment, hint);
    if (plain === '.' || plain === '..' || /[/\\\p{Cc}]/u.test(plain))
      throw refused('The path leaves its place', hint);
  }
  const versioned = route === '/v1' || route.startsWith('/v1/') ? route : `/v1${route}`;
  return [versioned, ...query].join('?');
}

/** Decoded until nothing changes: a server that decodes twice must not see another path than we judged. */
function decoded(segment: string, hint: string): string {
  let current = segment;
  for (let round = 0; round < 5; round++) {
    let next: string;
    try {
      next = decodeURIComponent(current);
    } catch {
      if (round > 0) return current;
      throw refused('The path has a broken percent sign', hint);
    }
    if (next === current) return current;
    current = next;
  }
  throw refused('The path is encoded too often', hint);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refused(message: string, hint: string): DriverError {
  return new DriverError({ code: 'refused', message, hint });
}
