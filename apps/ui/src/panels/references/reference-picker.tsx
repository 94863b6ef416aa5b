import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Cell, Json, ReferenceTarget } from '@trestle/driver-kit';
import { Plus, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { SearchField } from '../../controls/fields/search-field.tsx';
import { Spinner } from '../../controls/loading/spinner.tsx';
import { data } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import styles from './reference-picker.module.css';
import { elementsOf, type ReferenceColumn, targetName } from './targets.ts';
import { useTargets } from './use-targets.ts';

const shownAtMost = 20;

/** Chooses the rows that a reference points to, found by their titles. */
export function ReferencePicker(props: {
  at: ReferenceColumn;
  /** Undefined if the text in the field below the picker does not parse. */
  cell: Cell | undefined;
  onChange(cell: Cell): void;
}) {
  const { at } = props;
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const elements = elementsOf(props.cell ?? null);
  const known = useTargets(at, elements);
  const { connectionId, column, ...place } = at;
  const found = useQuery({
    queryKey: queryKeys.rows(connectionId, at.table, 'targets', at, asked),
    queryFn: ({ signal }) =>
      data('findReferences', connectionId, { ...place, column, text: asked, limit: shownAtMost }, signal),
    placeholderData: keepPreviousData,
  });
  const chosen = new Set(elements.map((element) => JSON.stringify(element)));
  const others = (found.data ?? []).filter(({ value }) => !chosen.has(JSON.stringify(value)));
  const put = (next: Json[]) => props.onChange(next);
  return (
    <div className={styles.picker}>
      <SearchField label="Find a row by its title" value={text} onValueChange={setText} />
      {elements.length > 0 && (
        <ul className={styles.chosen} aria-label="Targets">
          {elements.map((element, index) => {
            const name = targetName(known.get(JSON.stringify(element)), element);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a target may occur twice
              <li key={index}>
                <span title={JSON.stringify(element)}>{name}</span>
                <IconButton
                  size="small"
                  label={`Remove ${name}`}
                  onClick={() => put(elements.toSpliced(index, 1))}
                >
                  <X size={12} aria-hidden />
                </IconButton>
              </li>
            );
          })}
        </ul>
      )}
      {found.error && <p className={styles.problem}>{found.error.message}</p>}
      {found.isPending && <Spinner />}
      {found.data && others.length === 0 && (
        <p className={styles.none}>{noOthers(asked, found.data.length)}</p>
      )}
      <ul className={styles.found} aria-label="Rows found">
        {others.map((target) => (
          <Found
            key={JSON.stringify(target.value)}
            target={target}
            onAdd={() => put([...elements, target.value])}
          />
        ))}
      </ul>
    </div>
  );
}

function noOthers(asked: string, found: number): string {
  if (found >= shownAtMost)
    return `The first ${shownAtMost} rows are all chosen. Type more of a title to find others`;
  return asked === '' ? 'No other row was found' : 'No other row has such a title';
}

function Found({ target, onAdd }: { target: ReferenceTarget; onAdd(): void }) {
  return (
    <li>
      <button type="button" className={styles.target} onClick={onAdd}>
        <Plus size={12} aria-hidden />
        <span className={styles.title}>{targetName(target, target.value)}</span>
        <span className={styles.table}>{target.table}</span>
      </button>
    </li>
  );
}
