export { AppError, type AppErrorCode, type AppErrorDetails, isAppError } from './errors.ts';
export type * from './types.ts';
