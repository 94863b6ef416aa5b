import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './icon-button.module.css';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ComponentProps<typeof BaseButton>, 'className' | 'aria-label'> {
  /** Read by screen readers and shown as a tooltip. */
  label: string;
  /** Why the button is disabled. The tooltip shows it instead of the label. */
  hint?: string;
  /** The tooltip shows it beside the label. Written as `Mod+P`. */
  shortcut?: string;
  size?: 'small' | 'medium';
  className?: string;
}

export function IconButton({ label, hint, shortcut, size = 'medium', className, ...props }: IconButtonProps) {
  return (
    <Tooltip text={hint ?? label} shortcut={hint === undefined ? shortcut : undefined}>
      <BaseButton
        aria-label={label}
        className={classNames(styles.button, styles[size], className)}
        {...props}
      />
    </Tooltip>
  );
}
