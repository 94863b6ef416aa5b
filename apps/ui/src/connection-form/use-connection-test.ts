import { useEffect, useRef, useState } from 'react';
import { api } from '../shared/api.ts';
import type { ConnectionDraft, TestResult } from '../shared/api-types.ts';
import { followTest } from '../shared/test-stages.ts';

export type TestState =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'done'; result: TestResult }
  | { state: 'broken'; error: unknown };

/** Runs Test Connection. A new run, a cancel or closing the form ends the current run. */
export function useConnectionTest() {
  const [test, setTest] = useState<TestState>({ state: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (input: { id?: string; draft: ConnectionDraft }) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
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
