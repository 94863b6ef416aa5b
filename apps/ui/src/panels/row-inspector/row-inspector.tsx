import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Tabs } from '../../controls/buttons/tabs.tsx';
import { JsonTree } from '../../controls/json/json-tree.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import { keyText } from '../../data/rows/key-text.ts';
import { type InspectedRow, type InspectorPart, rowJson } from './inspected-row.ts';
import styles from './row-inspector.module.css';
import { inspectorSections } from './sections.ts';

/** One row of a grid or a map: its parts (see `inspectorSections`), and the row as JSON. */
export function RowInspector(
  props: Omit<InspectorPart, 'row'> & {
    row: InspectedRow | null;
    /** Undefined at the first row of the page or map. */
    onPrevious: (() => void) | undefined;
    /** Undefined at the last row of the page or map. */
    onNext: (() => void) | undefined;
    onClose(): void;
  },
) {
  const { row } = props;
  const [page, setPage] = useState('properties');
  return (
    <aside className={styles.inspector} aria-label="Row inspector">
      <header className={styles.header}>
        <h2 title={row?.title}>{row?.title ?? 'Row'}</h2>
        <IconButton
          label="Previous row"
          size="small"
          disabled={!props.onPrevious}
          focusableWhenDisabled
          onClick={props.onPrevious}
        >
          <ArrowUp size={14} aria-hidden />
        </IconButton>
        <IconButton
          label="Next row"
          size="small"
          disabled={!props.onNext}
          focusableWhenDisabled
          onClick={props.onNext}
        >
          <ArrowDown size={14} aria-hidden />
        </IconButton>
        <IconButton label="Close the row inspector" shortcut="Alt+I" size="small" onClick={props.onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </header>
      {!row && <EmptyState title="No row is selected" />}
      {row && <RowFacts row={row} />}
      {row && (
        <div className={styles.pages}>
          <Tabs
            label="Parts of the row"
            value={page}
            onValueChange={setPage}
            pages={[
              { id: 'properties', label: 'Properties', content: <Sections {...props} row={row} /> },
              { id: 'json', label: 'JSON', content: <WholeRow row={row} /> },
            ]}
          />
        </div>
      )}
    </aside>
  );
}

function RowFacts({ row: { key, state, message } }: { row: InspectedRow }) {
  return (
    <div className={styles.facts}>
      {key && (
        <p className={styles.key}>
          <span>{keyText(key)}</span>
          <CopyButton compact what="the key" text={keyText(key)} />
        </p>
      )}
      {state === 'inserted' && <p className={styles.muted}>New, not saved yet</p>}
      {state === 'deleted' && <p className={styles.muted}>Marked for deletion</p>}
      {state === 'gone' && <p className={styles.muted}>Deleted</p>}
      {message && <p className={styles.problem}>{message}</p>}
    </div>
  );
}

function Sections(part: InspectorPart) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long row is scrolled by keyboard
    <section className={styles.sections} aria-label="Properties" tabIndex={0}>
      {inspectorSections.map(({ id, Section }) => (
        <Section key={id} {...part} />
      ))}
    </section>
  );
}

function WholeRow({ row }: { row: InspectedRow }) {
  const value = rowJson(row);
  return (
    <div className={styles.json}>
      <CopyButton what="row as JSON" text={JSON.stringify(value, null, 2)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long row is scrolled by keyboard */}
      <section className={styles.document} aria-label="Row as JSON" tabIndex={0}>
        <JsonTree key={row.id} value={value} />
      </section>
    </div>
  );
}
