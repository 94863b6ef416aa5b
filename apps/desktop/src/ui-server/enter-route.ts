import { Hono } from 'hono';
import { z } from 'zod';
import type { Admission } from './admission.ts';
import { limitBody } from './limit-body.ts';

const body = z.strictObject({ proof: z.string().max(200) });

/** `POST /enter { proof }` exchanges a one-time key or code for the window's key. */
export function enterRoute(admission: Admission): Hono {
  const app = new Hono();
  app.use(limitBody(1));
  app.post('/', async (context) => {
    const parsed = body.safeParse(await context.req.json().catch(() => undefined));
    const answer = parsed.success ? admission.redeem(parsed.data.proof) : undefined;
    return answer ? context.json(answer) : context.json({ error: refusal }, 401);
  });
  return app;
}

const refusal = {
  code: 'not_admitted',
  message: 'This link or code is not valid: each works once, within ten minutes',
  hint: 'Run trestle --no-window in a terminal: it prints a new link and code.',
};
