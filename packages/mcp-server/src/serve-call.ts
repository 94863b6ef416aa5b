import {
  AppError,
  type AppErrorCode,
  type Caller,
  type Core,
  type DataAccess,
  isAppError,
  type OwnText,
  own,
} from '@trestle/core';
import { type Asked, keepAlive } from './keep-alive.ts';
import type { OpenTable, ToolCall } from './tools/tool.ts';

/** The parts of the app that each call needs. */
export interface Serving {
  core: Core;
  exportsFolder: string;
  openTable?: OpenTable | undefined;
  log: (message: string) => void;
  /** The deadline of a call, whatever it waits for. */
  deadlineMs: number;
  /** The interval of progress messages to a client that asked for them. */
  progressMs?: number | undefined;
}

interface ServedRequest {
  asked: Asked;
  caller: Caller;
  /** The name in the activity log, if the core does not log the call itself. */
  action: string;
}

/** Runs a tool, a resource or a prompt, with its deadline, its progress messages and its activity entry. */
export async function serveCall<T>(
  serving: Serving,
  { asked, caller, action }: ServedRequest,
  work: (call: ToolCall) => Promise<T>,
): Promise<T> {
  const { core, exportsFolder, openTable, deadlineMs } = serving;
  const started = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  let isOverdue = false;
  let isLoggedByCore = false;
  const accessTo = (connectionId: string): DataAccess => {
    isLoggedByCore = true;
    return { caller, connectionId, signal };
  };
  const end = () => {
    isOverdue = !signal.aborted;
    controller.abort(overdue(deadlineMs));
  };
  const timer = setTimeout(end, deadlineMs).unref();
  let failure: unknown;
  try {
    const run = (report: ToolCall['report']) =>
      work({ core, caller, signal, accessTo, report, exportsFolder, openTable });
    return await keepAlive(asked, controller, run, {
      everyMs: serving.progressMs,
      waitsFor: () => waitsFor(core, caller),
    });
  } catch (error) {
    failure = isOverdue ? overdue(deadlineMs) : error;
    throw failure;
  } finally {
    clearTimeout(timer);
    // The core logs each access itself.
    if (!isLoggedByCore) recordCall(core, { action, caller, failure, started });
  }
}

function waitsFor(core: Core, caller: Caller): OwnText {
  const asked = core.approvals
    .pending()
    .some(
      (one) =>
        caller.kind === 'client' &&
        one.clientWaits &&
        one.tokenName === caller.token.name &&
        one.clientName === caller.clientName,
    );
  return asked ? own`Waiting for the user to answer in Trestle` : own`Waiting for the database`;
}

export function recordCall(
  core: Core,
  { action, caller, failure, started }: { action: string; caller: Caller; failure: unknown; started: number },
): void {
  const entry = {
    action,
    ...(caller.kind === 'client' && { tokenName: caller.token.name, clientName: caller.clientName }),
    durationMs: performance.now() - started,
  };
  // No data was touched, so the answer need not wait for the disk.
  if (failure === undefined) core.activity.recordLater({ ...entry, outcome: 'ok' });
  else {
    const detail = isAppError(failure) ? failure.message : 'Failed';
    core.activity.record({ ...entry, outcome: outcomeOf(failure), detail });
  }
}

function outcomeOf(failure: unknown): 'error' | 'denied' | 'cancelled' {
  if (!isAppError(failure)) return 'error';
  if (failure.code === 'cancelled') return 'cancelled';
  return denials.has(failure.code) ? 'denied' : 'error';
}

const denials = new Set<AppErrorCode>(['forbidden', 'not_approved', 'endpoint_unapproved']);

function overdue(deadlineMs: number): AppError {
  return new AppError({
    code: 'timeout',
    message: own`The call did not end within ${Math.round(deadlineMs / 1000)} s`,
    hint: own`Do less in one call.`,
  });
}
