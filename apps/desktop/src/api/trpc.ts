import {
  type Administration,
  type AppErrorDetails,
  appErrorDetails,
  type Caller,
  type Core,
  isAppError,
} from '@trestle/core';
import { initTRPC, TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { AdmittedWindow } from '../ui-server/admission.ts';
import type { AppInfo } from './app-info.ts';
import type { Pages } from './pages.ts';

/** The context of the procedures. */
export interface ApiContext {
  core: Core;
  app: AppInfo;
}

interface RequestContext extends ApiContext {
  pages: Pages;
  window: Pick<AdmittedWindow, 'door' | 'isPerson' | 'unlock'>;
}

/** The caller of the data calls from a window. */
export const person: Caller = { kind: 'person' };

const t = initTRPC.context<RequestContext>().create({
  errorFormatter({ shape, error }) {
    // The answer must not contain the stack.
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

/** Acts of administration, with this window as the actor. Some are refused unless the window counts as the person. */
export function administer({ core, window }: RequestContext): Administration {
  return core.administer({ door: window.door, isPerson: window.isPerson() });
}

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
