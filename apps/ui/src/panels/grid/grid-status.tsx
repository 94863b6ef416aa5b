import { useStore } from 'zustand';
import { counted } from '../../controls/text/counted.ts';
import type { GridStore } from './grid-store.ts';
import { isSingle, rangeOf } from './navigation.ts';

/** Announces a notice, or else the size of a selected range, to assistive technology. */
export function GridStatus(props: { store: GridStore; className: string | undefined }) {
  const { selection, notice } = useStore(props.store);
  const { top, bottom, left, right } = rangeOf(selection);
  const range = isSingle(selection)
    ? ''
    : `${counted(bottom - top + 1, 'row')} by ${counted(right - left + 1, 'column')} selected`;
  return (
    <div role="status" className={props.className}>
      {notice ?? range}
    </div>
  );
}
