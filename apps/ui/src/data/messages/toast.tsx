import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { ApiError, toApiError } from '../api/api.ts';
import { CopyDetails } from './copy-details.tsx';
import styles from './toast.module.css';

const manager = Toast.createToastManager();

/** Reports an event that the page itself does not show. */
export function showToast(message: {
  title: string;
  description?: string;
  level?: 'info' | 'error';
  /** By default an error stays until it is dismissed, any other message four seconds. */
  forMs?: number;
  /** Adds a button that copies the error's details for a report. */
  error?: ApiError;
  /** A button, for example to undo the event. F6 moves the focus to the toasts. */
  action?: { label: string; onSelect(): void };
}): void {
  const level = message.level ?? 'info';
  const { action } = message;
  const id = manager.add({
    title: message.title,
    description: message.description,
    type: level,
    priority: level === 'error' ? 'high' : 'low',
    timeout: message.forMs ?? (level === 'error' ? 0 : 4000),
    data: message.error,
    ...(action && {
      actionProps: {
        children: action.label,
        onClick: () => {
          action.onSelect();
          manager.close(id);
        },
      },
    }),
  });
}

/** For failures that are shown nowhere else on the page. */
export function showError(doing: string, error: unknown): void {
  const known = toApiError(error);
  const { message, hint } = known;
  const description = hint ? `${message}\n${hint}` : message;
  showToast({ level: 'error', title: doing, description, error: known });
}

export function ToastArea() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <PlacedViewport />
      </Toast.Portal>
    </Toast.Provider>
  );
}

function PlacedViewport() {
  const { toasts } = Toast.useToastManager();
  const area = useRef<HTMLDivElement>(null);
  const bottom = useToastPlace(area, toasts.length);
  return (
    <Toast.Viewport ref={area} className={styles.viewport} style={{ bottom }}>
      <ToastList />
    </Toast.Viewport>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} data-toast className={styles.toast}>
      <Toast.Content className={styles.content}>
        <div className={styles.text}>
          <Toast.Title className={styles.title} />
          <Toast.Description className={styles.description} />
        </div>
        {toast.actionProps && <Toast.Action render={<Button size="small" />} />}
        {toast.data instanceof ApiError && <CopyDetails error={toast.data} />}
        <Toast.Close
          render={
            <IconButton label="Dismiss" size="small">
              <X size={13} aria-hidden />
            </IconButton>
          }
        />
      </Toast.Content>
    </Toast.Root>
  ));
}

/** The distance to keep between the toasts and the window's top and bottom edges. */
const margin = 16;
/** The distance between two tried positions, and the least distance between the toasts and a control. */
const step = 8;

const controls =
  'button, input, textarea, select, a[href], [role=combobox], [role=slider], [role=option], [role=menuitem]';

/**
 * How far above the window's bottom edge the toasts are placed. The toasts cover no control if a free place is found.
 * The search runs again when `messages`, the size of the toasts or the size of the window changes.
 */
function useToastPlace(area: RefObject<HTMLElement | null>, messages: unknown): number {
  const [bottom, setBottom] = useState(margin);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages may change the height
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const look = () => setBottom(freePlace(element));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    window.addEventListener('resize', look);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', look);
    };
  }, [area, messages]);
  return bottom;
}

function freePlace(area: HTMLElement): number {
  const { left, right, height } = area.getBoundingClientRect();
  if (height === 0) return margin;
  const taken = [...document.querySelectorAll<HTMLElement>(controls)]
    .filter((element) => !area.contains(element) && element.checkVisibility({ visibilityProperty: true }))
    .map((element) => element.getBoundingClientRect())
    .filter((box) => box.right > left && box.left < right);
  for (let bottom = margin; bottom + height + margin < innerHeight; bottom += step) {
    const low = innerHeight - bottom;
    if (!taken.some((box) => box.top < low + step && box.bottom > low - height - step)) return bottom;
  }
  return margin;
}
