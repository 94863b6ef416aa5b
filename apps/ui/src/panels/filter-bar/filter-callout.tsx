import type { RefObject } from 'react';
import type { ApiError } from '../shared/api.ts';
import { BarCallout } from '../shared/bar-callout.tsx';
import { Button } from '../shared/button.tsx';
import { sentences } from '../shared/sentences.ts';

/**
 * Shows why the filters did not run, at the chip of the refused filter, or at the first chip if that filter is unknown.
 * If there is no such chip, the reason is shown at the Filter button.
 */
export function FilterCallout(props: {
  id: string;
  bar: RefObject<HTMLElement | null>;
  at: number;
  error: ApiError;
  onEdit(): void;
}) {
  const { message, hint } = props.error;
  return (
    <BarCallout
      id={props.id}
      error={props.error}
      at={() => {
        const chips = props.bar.current?.querySelectorAll('[data-filter-chip]');
        return chips?.[Math.max(props.at, 0)] ?? props.bar.current?.querySelector('[data-filter-button]');
      }}
      actions={
        <Button size="small" onClick={props.onEdit}>
          Edit filter
        </Button>
      }
    >
      {hint ? sentences(message, hint) : message}
    </BarCallout>
  );
}
