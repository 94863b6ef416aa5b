import { Fragment, type ReactNode } from 'react';
import type { CellDisplay } from './cell-display.ts';
import { fontOf, measureBar, partGap, sparkline } from './cell-width.ts';
import styles from './data-grid.module.css';
import { gridFonts } from './fonts.ts';
import { jsonRuns } from './json-runs.ts';
import { sparklinePath } from './sparkline.ts';
import { textWidth, truncate } from './truncate.ts';
import type { GridReference } from './types.ts';

/** The content of a cell. A function, not a component: React would have to track thousands of components for a page. */
export function cellContent(display: CellDisplay, width: number): ReactNode {
  const { text, kind, links } = display;
  if (links) return references(links, width);
  switch (kind) {
    case 'pending':
      return <span className={styles.bar} role="img" aria-label="Loading" />;
    case 'empty':
      return <span className={styles.emptyMark}>{text}</span>;
    case 'boolean':
      return (
        <span className={styles.check} role="img" aria-label={text} data-on={text === 'true' || undefined} />
      );
    case 'measure':
      return (
        <>
          <MeasureBar fraction={display.fraction ?? 0} />
          {text}
        </>
      );
    case 'vector':
      return vector(display, width);
    case 'json':
      return json(text, width);
    default: {
      const font = fontOf(kind, gridFonts());
      // A column that is wide enough shows the whole uuid.
      const { exact } = display;
      if (kind === 'uuid' && exact && textWidth(exact, font) <= width) return exact;
      return truncate(text, width, font);
    }
  }
}

function vector({ text, vector: numbers = [] }: CellDisplay, width: number): ReactNode {
  const fonts = gridFonts();
  const count = String(numbers.length);
  const room = width - sparkline.width - 2 * partGap - textWidth(count, fonts.ui);
  return (
    <>
      <svg className={styles.sparkline} width={sparkline.width} height={sparkline.height} aria-hidden="true">
        <path d={sparklinePath(numbers, sparkline)} />
      </svg>
      {room > 24 && <span className={styles.numbers}>{truncate(text, room, fonts.mono)}</span>}
      {room > -partGap && <span className={styles.dimensions}>{count}</span>}
    </>
  );
}

function json(text: string, width: number): ReactNode {
  return jsonRuns(truncate(text, width, gridFonts().mono)).map((run, index) =>
    run.isForm ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text keep their order
      <span key={index} className={styles.form}>
        {run.text}
      </span>
    ) : (
      run.text
    ),
  );
}

/** Each title with a target is a link for the mouse. With the keyboard, the menu opens the row. */
function references(links: GridReference[], width: number): ReactNode {
  const { ui } = gridFonts();
  let room = width;
  return links.map(({ title, target }, index) => {
    if (room < leastChip) return null;
    const text = truncate(title, room - chipPadding, ui);
    room -= textWidth(text, ui) + chipPadding + chipGap;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row may be referred to twice
      <Fragment key={index}>
        {index > 0 && ' '}
        <span
          className={target ? styles.chip : styles.deadChip}
          data-reference={target ? index : undefined}
          title={text === title ? undefined : title}
        >
          {text}
        </span>
      </Fragment>
    );
  });
}

const chipPadding = 14;
const chipGap = 5;
const leastChip = 30;

/** Hidden from assistive technology: the number beside the bar says the same. */
function MeasureBar({ fraction }: { fraction: number }) {
  const { width, height } = measureBar;
  return (
    <svg className={styles.measureBar} width={width} height={height} aria-hidden="true">
      <rect className={styles.measureTrack} width={width} height={height} rx={2} />
      <rect width={Math.max(2, Math.round(fraction * width))} height={height} rx={2} />
    </svg>
  );
}
