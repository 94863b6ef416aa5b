import type { ConnectStage } from '@trestle/driver-kit';
import { CircleCheck, CircleX } from 'lucide-react';
import { Spinner } from '../../controls/loading/spinner.tsx';
import styles from './test-stage-list.module.css';

const labels: Record<ConnectStage, string> = {
  resolve: 'Resolve host',
  connect: 'Connect',
  tls: 'TLS',
  authenticate: 'Authenticate',
  version: 'Version',
};

const words = { done: 'done', running: 'running', failed: 'failed' };

/** The stages that a test went through. `last` is the state of the last stage. */
export function TestStageList(props: { stages: ConnectStage[]; last: keyof typeof words }) {
  return (
    <ol className={styles.stages} aria-label="Stages of the test">
      {props.stages.map((stage, index) => {
        const state = index < props.stages.length - 1 ? 'done' : props.last;
        return (
          <li key={stage} className={styles[state]}>
            {state === 'done' && <CircleCheck size={14} role="img" aria-label={words.done} />}
            {state === 'failed' && <CircleX size={14} role="img" aria-label={words.failed} />}
            {state === 'running' && <Spinner label={words.running} />}
            {labels[stage]}
          </li>
        );
      })}
    </ol>
  );
}
