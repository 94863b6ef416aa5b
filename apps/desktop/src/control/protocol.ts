import type { AppErrorDetails } from '@trestle/core';
import { z } from 'zod';

/** One request and one answer per socket, each a line of JSON. Hanging up aborts the signal of the request. */
export const controlRequest = z.strictObject({
  secret: z.string(),
  command: z.string(),
  input: z.unknown(),
  /** The administrator passphrase, if the user typed it. */
  passphrase: z.string().nullable(),
});

export type ControlAnswer = { ok: true; result: unknown } | { ok: false; error: AppErrorDetails };
