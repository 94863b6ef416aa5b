import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './icon-button.module.css';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ComponentProps<typeof BaseButton>, 'className' | 'aria-label'> {
  /** Said by screen readers and shown as a tooltip. */
  label: string;
  /** Shown beside the label: `⌘P`. */
  shortcut?: string;
  size?: 'small' | 'medium';
  className?: string;
}

export function IconButton({ label, shortcut, size = 'medium', className, ...props }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <BaseButton
        aria-label={label}
        className={classNames(styles.button, styles[size], className)}
        {...props}
      />
    </Tooltip>
  );
}
