import type { RunMessage, SentRequests } from '@trestle/driver-kit';
import { Copy, Download } from 'lucide-react';
import { useContext, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Segments } from '../../controls/buttons/segments.tsx';
import { Tabs } from '../../controls/buttons/tabs.tsx';
import { Kbd } from '../../controls/keys/kbd.tsx';
import { useDelayed } from '../../controls/loading/use-delayed.ts';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { Menu } from '../../controls/menus/menu.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import { type ApiError, toApiError } from '../../data/api/api.ts';
import { ConnectionDown, isOfConnection } from '../../data/messages/connection-down.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { DataGrid } from '../grid/index.ts';
import { CodeDialog } from '../request-code/index.ts';
import { durationText } from './duration-text.ts';
import { JsonDocument, JsonRows } from './json-document.tsx';
import type { ResultEntry } from './result-entries.ts';
import { formatsOf } from './result-file.ts';
import { ResultStatus } from './result-status.tsx';
import styles from './results.module.css';
import type { ResultsState, ResultViewName } from './use-results.ts';
import type { Finished, RunQuery } from './use-run-query.ts';

/** The outcome of the last run. It stays at least until the first statement of the next run has ended. */
export function Results(props: { query: RunQuery; results: ResultsState; rowWords: [string, string] }) {
  const { results } = props;
  const waiting = useDelayed(props.query.running !== null);
  const { shown, entries } = results;
  return (
    <section className={styles.results} aria-label="Results">
      {waiting && <div className={styles.progress} />}
      {!shown && (
        <EmptyState title="No results yet">
          Run the statement with <Kbd keys="Mod+Enter" />
        </EmptyState>
      )}
      {shown && !hasTabs(entries) && <EntryView entry={shown} view={results.view} />}
      {shown && hasTabs(entries) && (
        <div className={styles.body}>
          <Tabs
            label="Results"
            value={shown.id}
            onValueChange={results.show}
            tools={<ResultTools results={results} />}
            pages={entries.map((entry) => ({
              id: entry.id,
              label: <EntryLabel entry={entry} />,
              content: <EntryView entry={entry} view={results.view} />,
            }))}
          />
        </div>
      )}
      {shown && <ResultStatus results={results} rowWords={props.rowWords} />}
    </section>
  );
}

/** A single entry with neither rows nor a document has no tab. */
function hasTabs(entries: ResultEntry[]): boolean {
  const [first] = entries;
  return entries.length > 1 || first?.result?.kind === 'rows' || first?.result?.kind === 'document';
}

function EntryLabel({ entry }: { entry: ResultEntry }) {
  return (
    <>
      {entry.run.state !== 'done' && (
        <span className={styles.wrong}>{entry.run.state === 'failed' ? 'Failed:' : 'Cancelled:'}</span>
      )}
      <bdi>{entry.label}</bdi>
      {entry.count !== undefined && (
        <span className={styles.count} aria-hidden>
          {entry.count.toLocaleString('en')}
        </span>
      )}
    </>
  );
}

function EntryView({ entry, view }: { entry: ResultEntry; view: ResultViewName }) {
  const { run, result } = entry;
  if (run.state === 'failed') return <Failure error={run.error} />;
  if (run.state === 'cancelled') {
    return (
      <Note level="info" className={styles.note}>
        Cancelled after {durationText(run.afterMs)}
      </Note>
    );
  }
  return (
    <div className={styles.body}>
      {run.outcome.sent && <SentLine sent={run.outcome.sent} />}
      {run.outcome.messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages never change after they arrive
        <Message key={index} message={message} />
      ))}
      <div className={styles.body}>{result && <ResultView result={result} view={view} />}</div>
    </div>
  );
}

function ResultView({ result, view }: { result: NonNullable<ResultEntry['result']>; view: ResultViewName }) {
  if (result.kind === 'affected') return <EmptyState title="Done">The statement gives no rows.</EmptyState>;
  if (result.kind === 'document') return <JsonDocument value={result.document} />;
  if (view === 'json') return <JsonRows rows={result.rows} />;
  return <DataGrid label={result.title ?? 'Result'} rows={result.rows} />;
}

export function Failure({ error }: { error: Extract<Finished, { state: 'failed' }>['error'] }) {
  const down = useContext(ConnectionDown);
  // The explanation is stored, so that it stays when the connection is back. It is stored with its error: React may
  // reuse this component for the error of another statement.
  const [explained, setExplained] = useState<{ error: unknown; words: string } | null>(null);
  const words = down && explained?.error !== error ? explanation(toApiError(error), down) : null;
  if (words !== null) setExplained({ error, words });
  if (explained && explained.error === error) {
    return (
      <Note level="info" className={styles.note}>
        {explained.words}
      </Note>
    );
  }
  return (
    <>
      {/* While the connection is down, `ErrorNote` hides errors of the connection. This error must be shown. */}
      <ConnectionDown value={null}>
        <ErrorNote error={error} className={styles.note} />
      </ConnectionDown>
      <div className={styles.body} />
    </>
  );
}

/**
 * Null if the error itself must be shown. A statement that timed out or lost its socket may have run, so
 * the text must not say that it did not run.
 */
function explanation(error: ApiError, down: 'lost' | 'failed'): string | null {
  if (!isOfConnection(error) || error.code === 'timeout') return null;
  if (down === 'lost') {
    return 'No answer came, since the connection was lost. A statement that writes may have run: check the data before you run it again.';
  }
  if (error.code === 'connection_failed') return null;
  return 'The statement did not run: there is no connection. A note in the sidebar or above this tab says why.';
}

function Message({ message }: { message: RunMessage }) {
  return (
    <Note level={message.level} className={classNames(styles.note)}>
      {message.text}
      {message.path && <span className={styles.path}>{message.path.join(' › ')}</span>}
    </Note>
  );
}

/** The actions on the result that is shown. */
function ResultTools({ results }: { results: ResultsState }) {
  const result = results.shown?.result;
  if (!result || result.kind === 'affected') return null;
  return (
    <div className={styles.tools} role="toolbar" aria-label="Result">
      {result.kind === 'rows' && (
        <Segments
          label="View of the result"
          value={results.view}
          options={[
            { value: 'grid', label: 'Grid' },
            { value: 'json', label: 'JSON' },
          ]}
          onValueChange={results.setView}
        />
      )}
      <IconButton label="Copy as JSON" size="small" onClick={results.copy}>
        <Copy size={14} aria-hidden />
      </IconButton>
      <Menu
        align="end"
        trigger={
          <IconButton label="Export the result" size="small">
            <Download size={14} aria-hidden />
          </IconButton>
        }
        entries={formatsOf(result).map(({ format, label }) => ({
          label,
          onSelect: () => void results.download(format),
        }))}
      />
    </div>
  );
}

/** The line above a result: how the statement was sent. */
function SentLine({ sent }: { sent: SentRequests }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.sent}>
      <span>{sent.words}</span>
      <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
        Show request
      </Button>
      <CodeDialog open={isOpen} onClose={() => setOpen(false)} title="The request" codes={sent.requests} />
    </div>
  );
}
