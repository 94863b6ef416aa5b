import type { ColumnType } from '@trestle/driver-kit';
import { FileUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../controls/buttons/button.tsx';
import { IconButton } from '../../../controls/buttons/icon-button.tsx';
import { Select } from '../../../controls/fields/select.tsx';
import { counted } from '../../../controls/text/counted.ts';
import { AlertDialog } from '../../../data/messages/alert-dialog.tsx';
import { Note } from '../../../data/messages/error-note.tsx';
import { showToast } from '../../../data/messages/toast.tsx';
import styles from './judging.module.css';
import { readQueryFile } from './read-csv.ts';
import type { QuerySets, StoredSet } from './use-query-sets.ts';

/** Chooses, imports and deletes sets of queries. */
export function SetTools(props: {
  sets: QuerySets;
  set: (StoredSet & { id: string }) | undefined;
  onSet(id: string): void;
  /** The type of the table's first key column. */
  keyType: ColumnType | undefined;
}) {
  const { sets, set } = props;
  const file = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  // The set that the question is about. `set` changes if another window deletes that set meanwhile.
  const [doomed, setDoomed] = useState(set);
  const take = async (chosen: File) => {
    const read = await readQueryFile(chosen, props.keyType);
    setProblem(read.ok ? null : read.problem);
    if (!read.ok) return;
    const id = crypto.randomUUID();
    sets.write(id, { name: chosen.name.replace(/\.(csv|tsv|txt)$/i, ''), queries: read.queries });
    props.onSet(id);
    showToast({ title: `${counted(read.queries.length, 'query', 'queries')} imported` });
  };
  return (
    <>
      {set && (
        <Select
          size="small"
          className={styles.choice}
          aria-label="Query set"
          value={set.id}
          options={sets.sets.map(({ id, name, queries }) => ({
            value: id,
            label: name,
            detail: counted(queries.length, 'query', 'queries'),
          }))}
          onValueChange={(id) => {
            setProblem(null);
            props.onSet(id);
          }}
        />
      )}
      <Button
        size="small"
        icon={<FileUp size={14} aria-hidden />}
        title="A line for each pair of query and id"
        onClick={() => file.current?.click()}
      >
        Import CSV…
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv"
        aria-label="CSV of queries"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (chosen) void take(chosen);
        }}
      />
      {set && (
        <IconButton
          size="small"
          label={`Delete ${set.name}…`}
          onClick={() => {
            setDoomed(set);
            setDeleting(true);
          }}
        >
          <Trash2 size={14} aria-hidden />
        </IconButton>
      )}
      {problem && <Note level="error">{problem}</Note>}
      <AlertDialog
        open={isDeleting}
        title={`Delete the query set “${doomed?.name}”?`}
        confirm="Delete"
        danger
        onCancel={() => setDeleting(false)}
        onConfirm={() => {
          if (doomed) sets.remove(doomed.id);
          setDeleting(false);
        }}
      >
        <p>
          {counted(doomed?.queries.length ?? 0, 'query', 'queries')} with all marks, and{' '}
          {counted(doomed?.runs?.length ?? 0, 'run')}.
        </p>
      </AlertDialog>
    </>
  );
}
