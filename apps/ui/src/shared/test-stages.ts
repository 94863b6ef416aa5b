import type { ConnectStage } from '@trestle/driver-kit';
import { create } from 'zustand';

/** How far the running Test Connection of this window has come, as the events tell. */
export const useTestStages = create<{ testId: string | null; stages: ConnectStage[] }>(() => ({
  testId: null,
  stages: [],
}));

export function followTest(testId: string): void {
  useTestStages.setState({ testId, stages: [] });
}

export function noteTestStage(event: { testId: string; stage: ConnectStage }): void {
  useTestStages.setState(({ testId, stages }) =>
    testId === event.testId ? { stages: [...stages, event.stage] } : {},
  );
}
