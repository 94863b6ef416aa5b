import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../controls/buttons/icon-button.tsx';
import { Select } from '../controls/fields/select.tsx';
import { type PagePlace, pageMoves, pageSizes, pageText, resultText } from './paging.ts';
import styles from './table-tab.module.css';

/** The position of the page in the table, and the buttons to other pages. */
export function PagingBar(props: {
  place: PagePlace;
  pageSize: number;
  counting: boolean;
  note: string | undefined;
  /** Whether the rows are the results of a search, which has no pages. */
  searching: boolean;
  children?: React.ReactNode;
  onOffset(offset: number): void;
  onPageSize(size: number): void;
}) {
  const { place } = props;
  const moves = pageMoves(place);
  const sizes = [...new Set([...pageSizes, props.pageSize])].sort((a, b) => a - b);
  const move = (label: string, to: number | null, icon: React.ReactNode) => (
    <IconButton
      size="small"
      label={label}
      disabled={to === null}
      onClick={() => to !== null && props.onOffset(to)}
    >
      {icon}
    </IconButton>
  );
  return (
    <footer className={styles.paging}>
      <span role="status" className={styles.place}>
        {props.searching ? resultText(place) : pageText(place)}
        {!props.searching &&
          props.counting &&
          place.total === undefined &&
          place.rows !== undefined &&
          ' of …'}
      </span>
      {props.note && <span className={styles.muted}>{props.note}</span>}
      {props.children}
      <span className={styles.gap} />
      <Select<number>
        size="small"
        className={styles.pageSize}
        aria-label="Rows per page"
        value={props.pageSize}
        options={sizes.map((size) => ({ value: size, label: `${size.toLocaleString('en')} rows` }))}
        onValueChange={props.onPageSize}
      />
      {!props.searching && (
        <>
          {move('First page', moves.first, <ChevronFirst size={15} aria-hidden />)}
          {move('Previous page', moves.previous, <ChevronLeft size={15} aria-hidden />)}
          {move('Next page', moves.next, <ChevronRight size={15} aria-hidden />)}
          {move('Last page', moves.last, <ChevronLast size={15} aria-hidden />)}
        </>
      )}
    </footer>
  );
}
