import { useEffect, useRef, useState } from 'react';
import { api } from '../../data/api/api.ts';
import type { ConnectionDraft, TestResult } from '../../data/api/api-types.ts';
import { followTest } from '../../data/events/test-stages.ts';

export type TestState =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'done'; result: TestResult }
  | { state: 'broken'; error: unknown };

/**
 * Runs Test Connection. A new run, a cancel or closing the form ends the current run. So does a change of `draft`: the
 * result of a test with the old values must not be shown next to the new values.
 */
export function useConnectionTest(draft: ConnectionDraft) {
  const [test, setTest] = useState<TestState>({ state: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const now = JSON.stringify(draft);
  const tested = useRef(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the draft runs this effect
  useEffect(() => {
    if (now !== tested.current) reset();
  }, [now]);

  const run = async (input: { id?: string; draft: ConnectionDraft }) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    tested.current = JSON.stringify(input.draft);
    const testId = crypto.randomUUID();
    followTest(testId);
    setTest({ state: 'running' });
    try {
      const result = await api.connections.test.mutate({ ...input, testId }, { signal: controller.signal });
      if (!controller.signal.aborted) setTest({ state: 'done', result });
    } catch (error) {
      if (!controller.signal.aborted) setTest({ state: 'broken', error });
    }
  };
  const reset = () => {
    running.current?.abort();
    setTest({ state: 'idle' });
  };
  return { test, run, reset };
}
