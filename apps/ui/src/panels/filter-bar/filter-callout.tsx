import type { RefObject } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { sentences } from '../../controls/text/sentences.ts';
import type { ApiError } from '../../data/api/api.ts';
import { BarCallout } from '../../data/messages/bar-callout.tsx';

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
