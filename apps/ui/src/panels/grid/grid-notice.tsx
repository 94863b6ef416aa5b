import { useRef } from 'react';
import { classNames } from '../../controls/styles/class-names.ts';
import styles from './data-grid.module.css';
import { useLeftward } from './use-leftward.ts';

/** A notice below a cell or a header. `GridStatus` announces it to assistive technology. */
export function GridNotice(props: { text: string; box: Box }) {
  const element = useRef<HTMLDivElement>(null);
  const leftward = useLeftward(element, props.text);
  return (
    <div aria-hidden className={styles.noticeBox} style={props.box}>
      <div ref={element} className={classNames(styles.notice, leftward && styles.problemLeftward)}>
        {props.text}
      </div>
    </div>
  );
}

/** The place of a cell or header in its layer. */
export type Box = { top: number; left: number; width: number; height: number };
