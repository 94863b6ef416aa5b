import { CircleCheck } from 'lucide-react';
import { ApiError } from '../shared/api.ts';
import { ErrorNote, Note } from '../shared/error-note.tsx';
import { Spinner } from '../shared/spinner.tsx';
import { useDelayed } from '../shared/use-delayed.ts';
import styles from './connection-form.module.css';
import type { TestState } from './use-connection-test.ts';

export function TestOutcome({ test }: { test: TestState }) {
  const waiting = useDelayed(test.state === 'running');
  if (waiting) {
    return (
      <p className={styles.running}>
        <Spinner label="Testing the connection" /> Testing the connection…
      </p>
    );
  }
  if (test.state === 'broken') return <ErrorNote error={test.error} />;
  if (test.state !== 'done') return null;
  const { result } = test;
  if (!result.ok) return <ErrorNote error={new ApiError(result.error)} />;
  return (
    <>
      <p role="status" className={styles.ok}>
        <CircleCheck size={15} aria-hidden />
        Connected to {result.server.product} {result.server.version}
      </p>
      {result.warning && <Note level="warning">{result.warning}</Note>}
    </>
  );
}
