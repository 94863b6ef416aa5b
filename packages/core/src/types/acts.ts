import type { Act, ActEnd } from '@trestle/driver-kit';
import type { ProgramRights } from './imports.ts';

export interface ActRequest {
  connectionId: string;
  act: Act;
  /** The statements that the user saw and agreed to. The act sends no other, and each of them once. */
  statements: string[];
}

export interface SentStep {
  title: string;
  /** `unknown`: sent, and never answered. */
  how: 'running' | 'done' | 'failed' | 'unknown';
}

/** The state of an act, in its job. */
export interface ActDetail {
  kind: Act['kind'];
  table: string;
  sent: SentStep[];
  /** Null while the act runs. */
  made: ActEnd['made'] | null;
  notes: string[];
}

/**
 * Acts on a server that need several statements, or a long one. Each is a job. Its statements pass the gate, the log and
 * the history like those of the editor, without the statement timeout. A job ends with the app: the plan of the same
 * design then has the steps that are left.
 */
export interface Acts {
  /** Returns the id of the job. */
  begin(request: ActRequest, rights?: Pick<ProgramRights, 'assertOpen'>): { id: string };
}
