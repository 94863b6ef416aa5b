import type { RouteAnswer } from './router.ts';

/** Weaviate's error over Connect. Nearly every mistake has the status 500 and the code `unknown`. */
export function refusal(status: number, code: string, message: string): RouteAnswer {
  return { status, body: { code, message } };
}
