import type { Gate } from '../access/gate.ts';
import type { EventHub } from '../events/events.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import type { Settings } from '../types.ts';
import type { CallRunner } from './call-runner.ts';

export interface DataParts {
  runner: CallRunner;
  gate: Gate;
  sessions: SessionPool;
  settings: Settings;
  events: EventHub;
}
