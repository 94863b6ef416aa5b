import { searchDetail, searchTitle, type TableSearch } from '../search-bar/index.ts';
import { Button } from '../shared/button.tsx';
import styles from './table-tab.module.css';

/** Says that the rows are results of a search, and leads back to the table. */
export function SearchNote(props: { search: TableSearch; filterCount: number; onClear(): void }) {
  const { search, filterCount } = props;
  const filters = filterCount === 0 ? '' : filterCount === 1 ? ' · filtered' : ` · ${filterCount} filters`;
  return (
    <div className={styles.searchNote} role="status">
      <span className={styles.searchTitle}>{searchTitle(search)}</span>
      <span className={styles.muted}>
        {searchDetail(search)}
        {filters}
      </span>
      <span className={styles.gap} />
      <Button size="small" onClick={props.onClear}>
        Clear search
      </Button>
    </div>
  );
}
