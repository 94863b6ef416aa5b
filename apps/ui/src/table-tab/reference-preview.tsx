import { useQuery } from '@tanstack/react-query';
import { type ColumnDescription, ownValue, rowAt, type TableDescription } from '@trestle/driver-kit';
import { Spinner } from '../controls/loading/spinner.tsx';
import { data } from '../data/api/api.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { queryKeys } from '../data/queries/query-keys.ts';
import { useDescription } from '../data/queries/table-queries.ts';
import { titleColumn, titleText } from '../data/rows/row-title.ts';
import { CellValue, type GridReference } from '../panels/grid/index.ts';
import styles from './reference-preview.module.css';

type Target = NonNullable<GridReference['target']>;

const shownColumns = 6;

/** The first values of the row that a reference points to. */
export function ReferencePreview(props: {
  connectionId: string;
  partition: string | undefined;
  target: Target;
}) {
  const { connectionId, target } = props;
  const description = useDescription(connectionId, target.table);
  if (description.error) return <ErrorNote error={description.error} />;
  if (!description.data) return <Spinner label={`Reading ${target.table}`} />;
  return <PreviewedRow {...props} description={description.data} />;
}

function PreviewedRow(props: {
  connectionId: string;
  partition: string | undefined;
  target: Target;
  description: TableDescription;
}) {
  const { connectionId, target, description } = props;
  const columns = previewed(description);
  const request = {
    table: target.table,
    ...(description.partitioned && props.partition !== undefined && { partition: props.partition }),
    keys: [target.key],
    columns: columns.map(({ name }) => name),
  };
  const row = useQuery({
    queryKey: queryKeys.rows(connectionId, target.table, 'preview', request),
    queryFn: async ({ signal }) => {
      const rows = await data('readCells', connectionId, request, signal);
      return rows.rowCount > 0 ? rowAt(rows, 0) : null;
    },
    structuralSharing: false,
    staleTime: 30_000,
  });
  const title = titleColumn(columns, description.key);
  const heading = titleText(title && ownValue(row.data, title.name));
  if (row.error) return <ErrorNote error={row.error} />;
  if (row.data === undefined) return <Spinner label="Reading the row" />;
  if (row.data === null) return <p className={styles.none}>This row is gone</p>;
  return (
    <>
      <p className={styles.table}>{target.table}</p>
      {heading !== null && <p className={styles.title}>{heading}</p>}
      <dl className={styles.facts}>
        {columns
          .filter((column) => column !== title)
          .map((column) => (
            <div key={column.name}>
              <dt>{column.name}</dt>
              <dd>
                <CellValue
                  cell={ownValue(row.data, column.name) ?? null}
                  column={{ type: column.type }}
                  room={200}
                />
              </dd>
            </div>
          ))}
      </dl>
    </>
  );
}

function previewed({ columns }: TableDescription): ColumnDescription[] {
  return columns
    .filter(({ hidden, deferred, type, inKey }) => !hidden && !deferred && !inKey && type !== 'vector')
    .slice(0, shownColumns);
}
