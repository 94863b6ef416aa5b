import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from '../keys/kbd.tsx';
import styles from './tooltip.module.css';

/** A short explanation on hover and focus: the name of a button, its shortcut, or why it is disabled. */
export function Tooltip(props: {
  text: ReactNode;
  shortcut?: string;
  side?: 'top' | 'bottom' | 'left' | 'right';
  children: ReactElement<Record<string, unknown>>;
}) {
  return (
    <BaseTooltip.Root
      // Passes Escape on. Otherwise Escape would close only the tooltip, and the dialog around it would stay
      // open.
      onOpenChange={(_isOpen, details) => details.reason === 'escape-key' && details.allowPropagation()}
    >
      <BaseTooltip.Trigger render={props.children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner className={styles.positioner} side={props.side ?? 'bottom'} sideOffset={6}>
          <BaseTooltip.Popup className={styles.popup}>
            {props.text}
            {props.shortcut && <Kbd keys={props.shortcut} />}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}

export const TooltipProvider = BaseTooltip.Provider;
