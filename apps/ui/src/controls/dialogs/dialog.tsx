import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { ConnectionLine, type ConnectionSign } from '../connection-sign/current-connection.tsx';
import { PopupPlace } from '../popups/popup-place.tsx';
import { classNames } from '../styles/class-names.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  open: boolean;
  /** Called for Escape, the close button and a click outside; the caller may keep the dialog open. */
  onClose(): void;
  title: string;
  description?: ReactNode;
  /** The connection to name below the title, for a dialog that changes data in a database. */
  connection?: ConnectionSign | null | undefined;
  width?: 'small' | 'medium' | 'large' | 'wide';
  /** `top`: above the dialogs of the layer `normal`. */
  layer?: 'normal' | 'top';
  /** Buttons, kept in view while the body scrolls. */
  footer?: ReactNode;
  /** The result of a pressed button. It is above the buttons and does not scroll with the body. */
  outcome?: ReactNode;
  /** The name of the body, for a dialog without controls. The body then takes the focus, so that keys scroll it. */
  bodyLabel?: string;
  children: ReactNode;
}

/** Controls of the content, without Close. */
const firstControls = ['button', 'input', 'textarea', 'a[href]', '[tabindex="0"]']
  .map((control) => `${control}:not(.${styles.close})`)
  .join(', ');

export function Dialog(props: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const layer = props.layer === 'top' && styles.top;
  return (
    <BaseDialog.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <BaseDialog.Portal>
        {/* Also covers a dialog under this one, which must not look usable. */}
        <BaseDialog.Backdrop className={classNames(styles.backdrop, layer)} forceRender />
        <BaseDialog.Viewport className={classNames(styles.viewport, layer)}>
          <BaseDialog.Popup
            ref={popup}
            className={classNames(styles.popup, styles[props.width ?? 'medium'])}
            // Content that is still loading may have no control. Close would then take the focus and show its tooltip.
            initialFocus={() => (popup.current?.querySelector(firstControls) ? true : popup.current)}
          >
            <header className={styles.header}>
              <BaseDialog.Title className={styles.title}>{props.title}</BaseDialog.Title>
              {(props.description || props.connection) && (
                <BaseDialog.Description className={styles.description} render={<div />}>
                  {props.connection && <ConnectionLine connection={props.connection} />}
                  {props.description}
                </BaseDialog.Description>
              )}
            </header>
            <PopupPlace value={undefined}>
              <div
                className={styles.body}
                {...(props.bodyLabel && { role: 'region', 'aria-label': props.bodyLabel, tabIndex: 0 })}
              >
                {props.children}
              </div>
              {props.outcome && <div className={styles.outcome}>{props.outcome}</div>}
              {props.footer && <footer className={styles.footer}>{props.footer}</footer>}
            </PopupPlace>
            {/* Close is last in the dialog, so that the focus starts on the content. */}
            <IconButton label="Close" size="small" className={styles.close} onClick={props.onClose}>
              <X size={15} aria-hidden />
            </IconButton>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
