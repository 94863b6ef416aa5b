import { type AppErrorDetails, type Caller, type Core, isAppError } from '@trestle/core';
import { initTRPC, TRPCError } from '@trpc/server';
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
    const app: AppErrorDetails | null = isAppError(error.cause)
      ? {
          code: error.cause.code,
          message: error.cause.message,
          ...(error.cause.hint && { hint: error.cause.hint }),
        }
      : null;
    // No stack leaves the process.
    return { ...shape, data: { code: shape.data.code, httpStatus: shape.data.httpStatus, app } };
  },
});

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
