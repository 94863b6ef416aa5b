import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './button.module.css';

export interface ButtonProps extends Omit<ComponentProps<typeof BaseButton>, 'className'> {
  /** `primary` for the main action of a view; `danger` for an action that removes or ends something. */
  variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'small' | 'medium';
  icon?: ReactNode;
  className?: string;
}

export function Button({
  variant = 'plain',
  size = 'medium',
  icon,
  className,
  children,
  ...props
}: ButtonProps) {
  return (
    <BaseButton className={classNames(styles.button, styles[variant], styles[size], className)} {...props}>
      {icon}
      {children}
    </BaseButton>
  );
}
