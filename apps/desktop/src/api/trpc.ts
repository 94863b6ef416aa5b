import { type AppErrorDetails, appErrorDetails, type Caller, type Core, isAppError } from '@trestle/core';
import { initTRPC, TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { AppInfo } from './app.ts';

/** What the procedures get. They call the core and nothing else. */
export interface ApiContext {
  core: Core;
  app: AppInfo;
}

/** The window is the person; MCP clients never come this way. */
export const person: Caller = { kind: 'person' };

const t = initTRPC.context<ApiContext>().create({
  errorFormatter({ shape, error }) {
    // No stack leaves the process.
    const { code, httpStatus } = shape.data;
    return { ...shape, data: { code, httpStatus, app: detailsOf(error.cause) } };
  },
});

function detailsOf(cause: unknown): AppErrorDetails | null {
  if (isAppError(cause)) return appErrorDetails(cause);
  if (!(cause instanceof ZodError)) return null;
  return { code: 'invalid_argument', message: cause.issues.map((issue) => issue.message).join('; ') };
}

export const router = t.router;

export const procedure = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok && isAppError(result.error.cause)) {
    throw new TRPCError({
      code: 'UNPROCESSABLE_CONTENT',
      message: result.error.cause.message,
      cause: result.error.cause,
    });
  }
  return result;
});
