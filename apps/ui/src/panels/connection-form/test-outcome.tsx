import { CircleCheck } from 'lucide-react';
import { Spinner } from '../../controls/loading/spinner.tsx';
import { useDelayed } from '../../controls/loading/use-delayed.ts';
import { ApiError } from '../../data/api/api.ts';
import { useTestStages } from '../../data/events/test-stages.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import styles from './connection-form.module.css';
import { TestStageList } from './test-stage-list.tsx';
import type { TestState } from './use-connection-test.ts';

export function TestOutcome({ test }: { test: TestState }) {
  const waiting = useDelayed(test.state === 'running');
  const { stages } = useTestStages();
  if (test.state === 'running') {
    if (stages.length > 0) return <TestStageList stages={stages} last="running" />;
    // No stage yet. A driver that uses no network usually reports no stage.
    if (!waiting) return null;
    return (
      <p className={styles.running}>
        <Spinner label="Testing the connection" /> Testing the connection…
      </p>
    );
  }
  if (test.state === 'broken') return <ErrorNote error={test.error} />;
  if (test.state !== 'done') return null;
  const { result } = test;
  const passed = <TestStageList stages={result.stages} last={result.ok ? 'done' : 'failed'} />;
  if (!result.ok) {
    return (
      <>
        {result.stages.length > 0 && passed}
        <ErrorNote error={new ApiError(result.error)} />
      </>
    );
  }
  return (
    <>
      {result.stages.length > 0 && passed}
      <p role="status" className={styles.ok}>
        <CircleCheck size={15} aria-hidden />
        Connected to {result.server.product} {result.server.version}
      </p>
      {result.warning && <Note level="warning">{result.warning}</Note>}
    </>
  );
}
