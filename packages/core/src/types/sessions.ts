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
  /** The server answers, but slowly or with a problem. */
  warning?: string;
  /**
   * Why the state is `reconnecting` or `failed`, or `disconnected` after an unexpected exit of the driver's process.
   */
  error?: AppErrorDetails;
  /** While `reconnecting`: the time of the next attempt. */
  retryAt?: string;
  /** While `connecting` or `reconnecting`: the driver is being installed first. */
  installing?: boolean;
  /** The process id of the driver, while it runs. */
  pid?: number;
}

export interface Sessions {
  /** The status for the user, or for the given caller: a serial driver has a second process for external clients. */
  status(connectionId: string, caller?: Caller): SessionStatus;
  statuses(): SessionStatus[];
  /** Opens the session, or waits if it is being opened. */
  open(access: DataAccess): Promise<SessionStatus>;
  /** Checks access and writes a log entry. May ask the user. Opens no session. `wants` defaults to `read`. */
  admit(access: DataAccess, action: string, wants?: Effect): Promise<void>;
  /**
   * True if the caller may not read now: an approval is missing, or the caller is refused. Such a caller must not see
   * the connection's data.
   */
  needsApproval(caller: Caller, connectionId: string): boolean;
  close(connectionId: string): Promise<void>;
}
