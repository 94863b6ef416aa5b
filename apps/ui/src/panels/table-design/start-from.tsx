import type { Design } from '@trestle/driver-kit';
import { Copy, FileJson, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { Combobox } from '../../controls/fields/combobox.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { api, toApiError } from '../../data/api/api.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useTables } from '../../data/queries/queries.ts';
import { designFile, type FileDesign, type ImportedFile, sendFile } from '../import/import-api.ts';
import styles from './table-design.module.css';

export interface Started {
  design: Design;
  file?: ImportedFile;
  columns?: FileDesign['columns'];
}

/** Starts the design from another table, a definition or a file. */
export function StartFrom(props: {
  connectionId: string;
  terms: [string, string];
  onStart(started: Started): void;
}) {
  const { connectionId, terms, onStart } = props;
  const [singular] = terms;
  const [open, setOpen] = useState<'table' | 'definition' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isReading, setReading] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const attempt = async (work: () => Promise<Started>) => {
    setReading(true);
    setError(null);
    try {
      onStart(await work());
      setOpen(null);
    } catch (failure) {
      setError(toApiError(failure));
    }
    setReading(false);
  };
  const fromFile = (file: File) =>
    attempt(async () => {
      const signal = new AbortController().signal;
      const sent = await sendFile(file, signal);
      const { design, columns } = await designFile({ id: sent.id, connectionId });
      return { design: { ...design, name: nameOf(file.name) }, columns, file: sent };
    });
  return (
    <>
      <div className={styles.starts}>
        <span className={styles.help}>Start from</span>
        <Button
          size="small"
          icon={<FileUp size={13} aria-hidden />}
          disabled={isReading}
          onClick={() => input.current?.click()}
        >
          A file…
        </Button>
        <Button size="small" icon={<Copy size={13} aria-hidden />} onClick={() => setOpen('table')}>
          Another {singular}…
        </Button>
        <Button size="small" icon={<FileJson size={13} aria-hidden />} onClick={() => setOpen('definition')}>
          A definition…
        </Button>
        {isReading && <span role="status">Reading…</span>}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File for the ${singular}`}
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void fromFile(file);
          event.target.value = '';
        }}
      />
      {error !== null && open === null && <ErrorNote error={error} />}
      {open === 'table' && (
        <FromTable
          {...{ connectionId, singular, error }}
          onClose={() => setOpen(null)}
          onChoose={(table) =>
            void attempt(async () => ({
              design: { ...(await api.designs.read.query({ connectionId, source: { table } })), name: '' },
            }))
          }
        />
      )}
      {open === 'definition' && (
        <FromDefinition
          {...{ singular, error }}
          onClose={() => setOpen(null)}
          onChoose={(definition) =>
            void attempt(async () => ({
              design: await api.designs.read.query({ connectionId, source: { definition } }),
            }))
          }
        />
      )}
    </>
  );
}

/** `my films.csv` becomes `My_films`. A driver may need other names, and then says so at the field. */
function nameOf(file: string): string {
  const base = file
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return base.charAt(0).toUpperCase() + base.slice(1);
}

function FromTable(props: {
  connectionId: string;
  singular: string;
  error: unknown;
  onChoose(table: string): void;
  onClose(): void;
}) {
  const tables = useTables(props.connectionId).data ?? [];
  const [table, setTable] = useState('');
  return (
    <Dialog
      open
      width="small"
      title={`Like another ${props.singular}`}
      description="Its settings are copied, without its rows."
      onClose={props.onClose}
      outcome={props.error !== null && <ErrorNote error={props.error} />}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={table === ''}
            focusableWhenDisabled
            onClick={() => props.onChoose(table)}
          >
            Use it
          </Button>
        </>
      }
    >
      <Field label={props.singular.replace(/^./, (letter) => letter.toUpperCase())}>
        <Combobox
          value={table}
          options={tables
            .filter(({ kind }) => kind !== 'view')
            .map(({ name }) => ({ value: name, label: name }))}
          onValueChange={setTable}
        />
      </Field>
    </Dialog>
  );
}

function FromDefinition(props: {
  singular: string;
  error: unknown;
  onChoose(definition: string): void;
  onClose(): void;
}) {
  const [text, setText] = useState('');
  return (
    <Dialog
      open
      width="medium"
      title="From a definition"
      description={`The text that Structure shows for a ${props.singular}.`}
      onClose={props.onClose}
      outcome={props.error !== null && <ErrorNote error={props.error} />}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={text.trim() === ''}
            focusableWhenDisabled
            onClick={() => props.onChoose(text)}
          >
            Use it
          </Button>
        </>
      }
    >
      <textarea
        className={styles.definition}
        aria-label="Definition"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
