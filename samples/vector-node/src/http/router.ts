import { ServerError } from '../errors.ts';

export interface RouteRequest {
  /** The decoded path parameters. */
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}

export interface RouteAnswer {
  status: number;
  /** JSON, unless `type` is another content type. Then it is a text or bytes. */
  body?: unknown;
  type?: string;
}

export type Handler = (request: RouteRequest) => RouteAnswer | Promise<RouteAnswer>;

/** The handlers of each path pattern, such as `/objects/{class}/{id}`, by method. */
export type Routes = Record<string, Partial<Record<string, Handler>>>;

export function ok(body?: unknown): RouteAnswer {
  return { status: 200, body };
}

export function noContent(): RouteAnswer {
  return { status: 204 };
}

export interface Router {
  find(method: string, path: string): { handler: Handler; params: Record<string, string> };
}

/** Patterns and paths are without the prefix `/v1`. */
export function createRouter(routes: Routes): Router {
  const table = Object.entries(routes).map(([pattern, handlers]) => ({
    expression: new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
    handlers,
  }));
  return {
    find(method, path) {
      for (const { expression, handlers } of table) {
        const match = expression.exec(path);
        if (!match) continue;
        const handler = handlers[method];
        if (!handler) {
          const allowed = Object.keys(handlers).join(',');
          throw new ServerError(405, `method ${method} is not allowed, but [${allowed}] are`, {
            shape: 'coded',
          });
        }
        return { handler, params: decoded(match.groups ?? {}) };
      }
      throw new ServerError(404, `path /v1${path} was not found`, { shape: 'coded' });
    },
  };
}

function decoded(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw new ServerError(400, 'malformed path', { shape: 'coded' });
  }
}
