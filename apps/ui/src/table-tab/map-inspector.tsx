import { useQuery } from '@tanstack/react-query';
import { type Cell, cellAt, type RowKey, type TableDescription } from '@trestle/driver-kit';
import { useRef } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { data } from '../data/api/api.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { queryKeys } from '../data/queries/query-keys.ts';
import { keyText } from '../data/rows/key-text.ts';
import { titleColumn, titleText } from '../data/rows/row-title.ts';
import { type InspectedRow, RowInspector } from '../panels/row-inspector/index.ts';
import styles from './inspector-split.module.css';

/** One row of the map in full. The row is read when the user selects it: the map has only the start of a long text. */
export function MapInspector(props: {
  connectionId: string;
  description: TableDescription;
  partition: string | undefined;
  rowKey: RowKey;
  vector: string;
  onOpenRow(table: string, key: RowKey): void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose(): void;
}) {
  const { connectionId, description, partition, rowKey } = props;
  const frame = useRef<HTMLDivElement>(null);
  const shown = description.columns.filter(({ hidden }) => !hidden);
  const request = {
    table: description.name,
    ...(partition !== undefined && { partition }),
    keys: [rowKey],
    columns: shown.map(({ name }) => name),
  };
  const read = useQuery({
    queryKey: queryKeys.rows(connectionId, description.name, 'inspected', request),
    queryFn: ({ signal }) => data('readCells', connectionId, request, signal),
  });
  const cellOf = (name: string): Cell | undefined => {
    const at = read.data?.columns.findIndex((column) => column.name === name) ?? -1;
    return at < 0 || read.data!.rowCount === 0 ? undefined : cellAt(read.data!, at, 0);
  };
  const title = cellOf(titleColumn(shown, description.key)?.name ?? '');
  const row: InspectedRow = {
    connectionId,
    table: description.name,
    partition,
    id: keyText(rowKey),
    key: rowKey,
    mapVector: props.vector,
    title: titleText(title) ?? `Row of ${description.name}`,
    state: undefined,
    message: read.data?.rowCount === 0 ? 'This row no longer exists' : undefined,
    properties: shown.map(({ name, type, nativeType, inKey, comment, nullable }) => ({
      ...{ name, type, nativeType, inKey, comment, nullable },
      isMeasure: false,
      references: undefined,
      picker: undefined,
      cell: cellOf(name),
      isPending: read.isPending,
      unset: '',
      isEdited: false,
      problem: undefined,
      refusal: 'Open the row in the grid to change it',
    })),
  };
  const retry = () => {
    // The Retry button disappears. Without this call, the tab would get the focus, and Escape would not close the
    // inspector.
    frame.current?.focus();
    void read.refetch();
  };
  return (
    <div ref={frame} tabIndex={-1} className={styles.mapInspector}>
      {read.error ? (
        <ErrorNote error={read.error}>
          <Button size="small" onClick={retry}>
            Retry
          </Button>
          <Button size="small" onClick={props.onClose}>
            Close
          </Button>
        </ErrorNote>
      ) : (
        <RowInspector
          row={row}
          activeColumn={undefined}
          onStage={() => {}}
          onOpenReference={(target) => props.onOpenRow(target.table, target.key)}
          onPrevious={props.onPrevious}
          onNext={props.onNext}
          onClose={props.onClose}
        />
      )}
    </div>
  );
}
