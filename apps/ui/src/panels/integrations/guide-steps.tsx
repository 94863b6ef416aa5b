import type { ConnectGuide } from '../../data/api/api-types.ts';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import styles from './connect.module.css';

/**
 * The steps of a guide. The path of the client's configuration file has its own element, so a user who copies the path
 * does not copy the full stop after it.
 */
export function GuideSteps({ steps, configFile }: Pick<ConnectGuide, 'steps' | 'configFile'>) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ text, snippet }) => (
        <li key={text}>
          <p>{configFile === null ? text : withPath(text, configFile)}</p>
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

function withPath(text: string, path: string) {
  const at = text.indexOf(path);
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <code>{path}</code>
      {text.slice(at + path.length)}
    </>
  );
}

const copied = {
  shell: 'command',
  json: 'configuration',
  yaml: 'configuration',
  toml: 'configuration',
} as const;
