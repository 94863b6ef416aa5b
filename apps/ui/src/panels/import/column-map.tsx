import { ownValue, type TableDescription } from '@trestle/driver-kit';
import { Select } from '../../controls/fields/select.tsx';
import styles from './import.module.css';
import type { CheckedPlan, ImportedFile } from './import-api.ts';
import { isReportColumn } from './import-words.ts';

const leftOut = '';

/** The columns of the file, each with its first values, its target, and how many values do not fit the target. */
export function ColumnMap(props: {
  file: ImportedFile;
  plan: CheckedPlan;
  description: TableDescription;
  onChange(column: string, to: string | null): void;
}) {
  const { file, plan, description } = props;
  const targets = description.columns.filter(
    ({ hidden, readOnly, insertable }) => !hidden && (readOnly === undefined || insertable),
  );
  const options = [
    { value: leftOut, label: 'Leave out' },
    ...targets.map(({ name, type, nativeType }) => ({
      value: name,
      label: name,
      detail: nativeType || type,
    })),
  ];
  return (
    <table className={styles.map}>
      <thead>
        <tr>
          <th scope="col">In the file</th>
          <th scope="col">First values</th>
          <th scope="col">Goes into</th>
          <th scope="col">Does not fit</th>
        </tr>
      </thead>
      <tbody>
        {file.columns.map((column, index) => {
          const isTarget = targets.some(({ name }) => name === column);
          if (isReportColumn(column) && !isTarget && !ownValue(plan.map, column)) return null;
          const misfits = ownValue(plan.columns, column);
          const target = ownValue(plan.map, column) ?? leftOut;
          const values = file.sample.map((row) => row[index] ?? null);
          return (
            <tr key={column} data-left-out={target === leftOut || undefined}>
              <th scope="row" title={column}>
                {column}
              </th>
              <td className={styles.values} title={values.map((value) => value ?? 'NULL').join('\n')}>
                {values.map((value) => value ?? 'NULL').join(' · ')}
              </td>
              <td>
                <Select
                  size="small"
                  aria-label={`Column for ${column}`}
                  className={styles.target}
                  value={target}
                  options={options}
                  onValueChange={(value) => props.onChange(column, value === leftOut ? null : value)}
                />
              </td>
              <td className={styles.misfits}>
                {misfits && (
                  <span title={misfits.first && `Line ${misfits.first.line}: ${misfits.first.problem}`}>
                    {misfits.count.toLocaleString('en')} of {file.rows.toLocaleString('en')}
                    <small>{misfits.first?.problem}</small>
                  </span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
