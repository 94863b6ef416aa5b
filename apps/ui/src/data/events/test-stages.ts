import type { ConnectStage } from '@trestle/driver-kit';
import { create } from 'zustand';

/** The stages of this window's last Test Connection. Events report them. */
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
