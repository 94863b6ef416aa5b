import { counted } from '../../controls/text/counted.ts';
import { Note } from '../../data/messages/error-note.tsx';
import type { Started } from './start-from.tsx';
import styles from './table-design.module.css';

/** The first rows of the file, and the doubts about its types. After a reload, only the name is known. */
export function FilePreview(props: { name: string; singular: string; started: Started | null }) {
  const { name, started } = props;
  const { file, columns = [] } = started ?? {};
  const doubts = columns.flatMap(({ name: column, doubt }) => (doubt ? [{ column, doubt }] : []));
  return (
    <section className={styles.file} aria-label={`Rows of ${name}`}>
      <p className={styles.help}>
        {file ? `${name}: ${counted(file.rows, 'row')}.` : `${name}.`} The types are those that every value
        fits. Its rows are imported when the {props.singular} is created.
      </p>
      {doubts.map(({ column, doubt }) => (
        <Note key={column} level="warning">
          {column}: {doubt} You can choose another type below.
        </Note>
      ))}
      {file && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
        <section className={styles.scroll} tabIndex={0} aria-label="First rows">
          <table className={styles.preview}>
            <thead>
              <tr>
                {file.columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {file.sample.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file do not change
                <tr key={at}>
                  {row.map((value, column) => (
                    <td key={file.columns[column]} className={value === null ? styles.none : undefined}>
                      {value ?? 'NULL'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
