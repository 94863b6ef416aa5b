import { Popover } from '@base-ui/react/popover';
import styles from './reference-card.module.css';
import type { DataGridProps } from './types.ts';
import type { HoveredReference, useReferenceHover } from './use-reference-hover.ts';

/**
 * A card with the row that the reference under the mouse points to. It takes no focus: with the keyboard, the user
 * opens the row from the context menu.
 */
export function ReferenceCard(props: {
  hover: ReturnType<typeof useReferenceHover>;
  preview: NonNullable<DataGridProps['referencePreview']>;
}) {
  const { hover } = props;
  const { hovered } = hover;
  return (
    <Popover.Root open={hovered !== null} onOpenChange={(open) => open || hover.close()}>
      <Popover.Portal>
        <Popover.Positioner
          className={styles.positioner}
          anchor={hovered?.chip ?? null}
          align="start"
          sideOffset={4}
        >
          <Popover.Popup
            className={styles.card}
            data-grid-popup
            initialFocus={false}
            finalFocus={false}
            aria-label={labelOf(hovered)}
            onPointerEnter={hover.keep}
            onPointerLeave={hover.leave}
          >
            {hovered && props.preview(hovered.target)}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function labelOf(hovered: HoveredReference | null): string | undefined {
  return hovered ? `Row of ${hovered.target.table}` : undefined;
}
