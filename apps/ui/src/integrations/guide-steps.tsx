import type { ConnectGuide } from '../shared/api-types.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import styles from './connect.module.css';

export function GuideSteps({ steps }: { steps: ConnectGuide['steps'] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ text, snippet }) => (
        <li key={text}>
          <p>{text}</p>
          {snippet && (
            <div className={styles.snippet}>
              <pre>{snippet.text.trimEnd()}</pre>
              <CopyButton compact text={snippet.text.trimEnd()} what={copied[snippet.language]} />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

const copied = { shell: 'command', json: 'configuration', yaml: 'configuration' } as const;
