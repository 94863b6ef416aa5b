import type { DriverErrorDetails, Effect } from '@trestle/driver-kit';
import { type OwnText, own } from './own-text.ts';

export type AppErrorCode =
  | DriverErrorDetails['code']
  /** The caller may not do this. JSON-RPC code -33007. */
  | 'forbidden'
  /** The call writes, and the connection is read-only for this caller. */
  | 'read_only'
  /** The user refused or did not answer, or could not be asked. */
  | 'not_approved'
  /** The request needs the administrator passphrase. The caller gave none, or the given one was not accepted. */
  | 'passphrase_needed'
  | 'not_connected'
  | 'driver_missing'
  | 'storage_failed';

/** An error as the window, the command line and the log show it. */
export interface AppErrorDetails {
  code: AppErrorCode;
  message: string;
  hint?: string;
  /** The effect that a statement needs, if the driver found it to be above the ceiling. */
  needs?: Effect;
}

/** A string may quote a database, a driver, a file or the caller. An AI client gets it as data, inside a fence. */
export type Said = string | OwnText;

/** The texts of an error, each either Trestle's own or foreign. */
export interface AppErrorWords {
  code: AppErrorCode;
  message: Said;
  hint?: Said | readonly Said[];
  needs?: Effect;
  /** Foreign text next to the message. Only AI clients get it. */
  quoted?: string | undefined;
}

/** An error that the core reports. `translate-error.ts` makes it from errors of drivers. It must not contain a secret. */
export class AppError extends Error implements AppErrorDetails {
  readonly code: AppErrorCode;
  readonly hint?: string;
  readonly needs?: Effect;
  /** The same texts, for AI clients. */
  readonly said: { message: Said; hints: readonly Said[]; quoted?: string | undefined };

  constructor(words: AppErrorWords, options?: { cause?: unknown }) {
    super(words.message.toString(), options);
    this.name = 'AppError';
    this.code = words.code;
    const hints = [words.hint ?? []].flat();
    if (hints.length > 0) this.hint = hints.join(' ');
    if (words.needs !== undefined) this.needs = words.needs;
    this.said = { message: words.message, hints, quoted: words.quoted };
  }

  /** A copy of this error with other foreign texts. Our own words stay, and need no redaction or masking. */
  withForeign(change: (text: string) => string): AppError {
    const { message, hints, quoted } = this.said;
    const changed = (text: Said) => (typeof text === 'string' ? change(text) : text);
    return new AppError({
      code: this.code,
      message: changed(message),
      hint: hints.map(changed),
      ...(this.needs !== undefined && { needs: this.needs }),
      ...(quoted !== undefined && { quoted: change(quoted) }),
    });
  }
}

export function noConnection(): AppError {
  return new AppError({ code: 'not_found', message: own`There is no connection with this id` });
}

export function appErrorDetails({ code, message, hint, needs }: AppErrorDetails): AppErrorDetails {
  return { code, message, ...(hint !== undefined && { hint }), ...(needs !== undefined && { needs }) };
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error;
}
