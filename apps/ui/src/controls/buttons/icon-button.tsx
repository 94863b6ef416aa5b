import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps } from 'react';
import { Tooltip } from '../popups/tooltip.tsx';
import { classNames } from '../styles/class-names.ts';
import styles from './icon-button.module.css';

export interface IconButtonProps extends Omit<ComponentProps<typeof BaseButton>, 'className' | 'aria-label'> {
  /** Read by screen readers. Also the tooltip, unless there is a hint. */
  label: string;
  /** The reason why the button is disabled. The tooltip shows this reason instead of the label. */
  hint?: string;
  /** A key combination, such as `Mod+P`. The tooltip shows it beside the label. */
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
