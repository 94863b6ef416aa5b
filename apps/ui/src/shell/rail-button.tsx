import type { ReactNode } from 'react';
import { Tooltip } from '../controls/popups/tooltip.tsx';
import { classNames } from '../controls/styles/class-names.ts';
import styles from './rail.module.css';

/** A button of the rail that belongs to no connection. */
export function RailButton(props: {
  label: string;
  shortcut?: string;
  isCurrent?: boolean;
  className?: string;
  children: ReactNode;
  onClick(): void;
}) {
  return (
    <Tooltip side="right" text={props.label} shortcut={props.shortcut}>
      <button
        type="button"
        data-roving
        aria-label={props.label}
        aria-current={props.isCurrent ? 'page' : undefined}
        className={classNames(styles.tile, props.isCurrent && styles.current, props.className)}
        onClick={props.onClick}
      >
        {props.children}
      </button>
    </Tooltip>
  );
}
