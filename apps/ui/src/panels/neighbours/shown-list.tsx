import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { moveRovingFocus } from '../../controls/keys/roving-focus.ts';
import styles from './neighbours.module.css';

const step = 100;

/** A list in which the arrow keys move the focus. An entry is selected when it gets the focus. */
export function ShownList<Item>(props: {
  label: string;
  items: Item[];
  idOf(item: Item): string;
  chosen: string | undefined;
  draw(item: Item): ReactNode;
  onChoose(id: string): void;
  onKey?(item: Item, event: KeyboardEvent): void;
}) {
  const { items, idOf } = props;
  const [shown, setShown] = useState(step);
  const listed = items.slice(0, shown);
  // New items may push the chosen one out of the list. Tab must still reach an entry.
  const chosen = listed.some((item) => idOf(item) === props.chosen) ? props.chosen : undefined;
  return (
    <div className={styles.listArea}>
      <ol
        className={styles.list}
        aria-label={props.label}
        onKeyDown={(event) => moveRovingFocus(event, 'vertical')}
      >
        {listed.map((item, at) => {
          const id = idOf(item);
          return (
            <li key={id}>
              <button
                type="button"
                data-roving
                className={styles.entry}
                aria-current={id === chosen}
                tabIndex={id === chosen || (chosen === undefined && at === 0) ? 0 : -1}
                onFocus={() => props.onChoose(id)}
                onClick={() => props.onChoose(id)}
                onKeyDown={(event) => props.onKey?.(item, event)}
              >
                {props.draw(item)}
              </button>
            </li>
          );
        })}
      </ol>
      {items.length > shown && (
        <Button size="small" variant="quiet" onClick={() => setShown(shown + step)}>
          Show more ({(items.length - shown).toLocaleString('en')})
        </Button>
      )}
    </div>
  );
}
