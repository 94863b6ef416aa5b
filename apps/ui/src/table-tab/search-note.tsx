import { Button } from '../controls/buttons/button.tsx';
import { searchDetail, searchTitle, type TableSearch } from '../panels/search-bar/index.ts';
import styles from './table-tab.module.css';

/** Says that the rows are results of a search. The button ends the search. */
export function SearchNote(props: { search: TableSearch; filterCount: number; onClear(): void }) {
  const { search, filterCount } = props;
  const filters = filterCount === 0 ? '' : filterCount === 1 ? ' · filtered' : ` · ${filterCount} filters`;
  const detail = `${searchDetail(search)}${filters}`;
  return (
    <>
      <span role="status" className={styles.searchNote} title={`${searchTitle(search)} · ${detail}`}>
        {searchTitle(search)} <span className={styles.searchDetail}>{detail}</span>
      </span>
      <Button size="small" variant="quiet" onClick={props.onClear}>
        Clear search
      </Button>
    </>
  );
}
