import type { RunMessage, RunResult } from '@trestle/driver-kit';
import { useContext, useState } from 'react';
import { DataGrid } from '../grid/index.ts';
import { toApiError } from '../shared/api.ts';
import { classNames } from '../shared/class-names.ts';
import { ConnectionDown, isOfConnection } from '../shared/connection-down.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorNote, Note } from '../shared/error-note.tsx';
import { Kbd } from '../shared/kbd.tsx';
import { Tabs } from '../shared/tabs.tsx';
import { useDelayed } from '../shared/use-delayed.ts';
import { durationText } from './duration-text.ts';
import { JsonDocument } from './json-document.tsx';
import styles from './results.module.css';
import type { Finished, RunQuery } from './use-run-query.ts';

/** The last outcome; it stays while the next statement runs. */
export function Results(props: { query: RunQuery; rowWords: [string, string] }) {
  const { finished, running } = props.query;
  const waiting = useDelayed(running !== null);
  return (
    <section className={styles.results} aria-label="Results">
      {waiting && <div className={styles.progress} />}
      {!finished && (
        <EmptyState title="No results yet">
          Run the statement with <Kbd keys="Mod+Enter" />
        </EmptyState>
      )}
      {finished?.state === 'failed' && <Failure {...finished} />}
      {finished?.state === 'cancelled' && (
        <Note level="info" className={styles.note}>
          Cancelled after {durationText(finished.afterMs)}
        </Note>
      )}
      {finished?.state === 'done' && <Outcome {...finished} rowWords={props.rowWords} />}
    </section>
  );
}

function Failure({ error, afterMs }: Finished & { state: 'failed' }) {
  const down = useContext(ConnectionDown);
  // This error and no other: the failure of the next statement is drawn in the same place.
  const [explained, setExplained] = useState<{ error: unknown; down: string } | null>(null);
  if (down && explained?.error !== error && isOfConnection(toApiError(error))) setExplained({ error, down });
  if (explained && explained.error === error) {
    return (
      <Note level="info" className={styles.note}>
        {explained.down === 'lost'
          ? 'No answer came, since the connection was lost. A statement that writes may have run: look before you run it again.'
          : 'The statement did not run: there is no connection. The reason is at the left.'}
      </Note>
    );
  }
  return (
    <>
      <ErrorNote error={error} className={styles.note} />
      <div className={styles.body} />
      <div className={styles.status} role="status">
        <span>Failed</span>
        <span className={styles.duration}>{durationText(afterMs)}</span>
      </div>
    </>
  );
}

function Outcome(props: Finished & { state: 'done' } & { rowWords: [string, string] }) {
  const { outcome, limit, rowWords } = props;
  const { results, messages } = outcome;
  const [shown, setShown] = useState('0');
  const at = results[Number(shown)] ? shown : '0';
  const result = results[Number(at)];
  const hasErrors = messages.some(({ level }) => level === 'error');
  return (
    <>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages never change once they are here
        <Message key={index} message={message} />
      ))}
      {results.length > 1 ? (
        <div className={styles.body}>
          <Tabs
            label="Results"
            value={at}
            onValueChange={setShown}
            pages={results.map((one, index) => ({
              id: String(index),
              label: one.title ?? `Result ${index + 1}`,
              content: <ResultView result={one} />,
            }))}
          />
        </div>
      ) : (
        <div className={styles.body}>{result && <ResultView result={result} />}</div>
      )}
      <div className={styles.status} role="status">
        <span>{result ? resultText(result, rowWords) : hasErrors ? 'No data' : 'Done'}</span>
        {result?.kind === 'rows' && result.truncated && (
          <span className={styles.cut}>Only the first {limit.toLocaleString('en')} were read</span>
        )}
        <span className={styles.duration}>{durationText(outcome.durationMs)}</span>
      </div>
    </>
  );
}

function ResultView({ result }: { result: RunResult }) {
  if (result.kind === 'rows') return <DataGrid label={result.title ?? 'Result'} rows={result.rows} />;
  if (result.kind === 'document') return <JsonDocument value={result.document} />;
  return <EmptyState title="Done">The statement gives no rows.</EmptyState>;
}

function Message({ message }: { message: RunMessage }) {
  return (
    <Note level={message.level} className={classNames(styles.note)}>
      {message.text}
      {message.path && <span className={styles.path}>{message.path.join(' › ')}</span>}
    </Note>
  );
}

function resultText(result: RunResult, [one, many]: [string, string]): string {
  if (result.kind === 'document') return result.title ?? 'Document';
  const count = result.kind === 'rows' ? result.rows.rowCount : result.rows;
  const counted = `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
  return result.kind === 'rows' ? counted : `${counted} affected`;
}
