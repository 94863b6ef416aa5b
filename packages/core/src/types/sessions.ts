import type { Capability, Effect, ServerInfo } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { DataAccess } from './data.ts';

export type SessionState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'failed';

export interface SessionStatus {
  connectionId: string;
  state: SessionState;
  server?: ServerInfo;
  capabilities: Capability[];
  /** The server answers, but is not well. */
  warning?: string;
  /** Why it is `reconnecting` or `failed`, or `disconnected` after its driver's process ended by itself. */
  error?: AppErrorDetails;
  /** When the next attempt follows, while `reconnecting`. */
  retryAt?: string;
  /** While `connecting`: the driver is being installed first. */
  installing?: boolean;
  /** Of the driver's process, while there is one. */
  pid?: number;
}

export interface Sessions {
  /** As the user sees it, or as the given caller does: a serial driver has a process apart for external clients. */
  status(connectionId: string, caller?: Caller): SessionStatus;
  statuses(): SessionStatus[];
  /** Opens the session, or waits for the one being opened. */
  open(access: DataAccess): Promise<SessionStatus>;
  /** The access decision alone, with the user's approval and a log entry; opens nothing. Wants to read by default. */
  admit(access: DataAccess, action: string, wants?: Effect): Promise<void>;
  /** Whether the caller has no approval yet, or was refused it. Nothing of the connection may show before. */
  needsApproval(caller: Caller, connectionId: string): boolean;
  close(connectionId: string): Promise<void>;
}
