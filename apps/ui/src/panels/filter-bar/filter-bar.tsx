import type { ColumnDescription, Filter, Match } from '@trestle/driver-kit';
import { ListFilter, Plus } from 'lucide-react';
import { type RefObject, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { isTyping } from '../../controls/keys/is-typing.ts';
import { sentences } from '../../controls/text/sentences.ts';
import { type ApiError, toApiError } from '../../data/api/api.ts';
import { BarCallout } from '../../data/messages/bar-callout.tsx';
import { BarPanel } from './bar-panel.tsx';
import styles from './filter-bar.module.css';
import { FilterBuilder } from './filter-builder.tsx';
import { FilterChips } from './filter-chips.tsx';
import { isApplied, refusedFilter, sameFilters } from './filter-draft.ts';
import type { FilterEntry } from './filter-entries.ts';
import { FilterPresets } from './filter-presets.tsx';
import { inForce, useFilterDrafts } from './use-filter-drafts.ts';

interface FilterBarProps {
  /** The connection whose presets are offered. */
  connectionId: string;
  table: string;
  columns: ColumnDescription[];
  /**
   * The filters that the user applied last, also those that are off. The builder starts with these filters, and reloads
   * if they change outside the builder.
   */
  entries: FilterEntry[];
  match: Match;
  /** The filters of the rows that are shown. They may differ from the active `entries` until new rows arrive. */
  applied: { filters: Filter[]; match: Match };
  /** The column for a new filter: the column with the cursor. */
  suggested?(): string | undefined;
  /** Why the driver did not run the filters. */
  error?: unknown;
  onApply(entries: FilterEntry[], match: Match): void;
  /**
   * Called when the builder closes and the focus must move out of the bar. Not called if the focus must stay where the
   * user put it, for example in another field.
   */
  onLeave(): void;
  ref?: RefObject<FilterBarHandle | null>;
}

export interface FilterBarHandle {
  /** Opens the builder, at a filter on the column if one is given. */
  open(column?: string): void;
}

/** The filters as chips, the Filter button, and the builder. A chip or the button opens the builder. */
export function FilterBar(props: FilterBarProps) {
  const { columns, entries, applied } = props;
  const calloutId = useId();
  const bar = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const drafts = useFilterDrafts({
    columns,
    asked: { entries, match: props.match },
    suggested: props.suggested,
  });
  const [open, setOpen] = useState(false);
  const [presetsOpen, setPresetsOpen] = useState(false);
  const [anchor, setAnchor] = useState<Element | null>(null);
  /**
   * The user applied the filters in the builder, or a preset. The builder closes once the rows have loaded, unless the
   * user changes or adds a filter before that, or types the name of a preset.
   */
  const [leaving, setLeaving] = useState(false);
  const wanted = useRef<number>(undefined);

  const focus = (index?: number) => {
    const rows = form.current?.querySelectorAll('[data-filter-row]');
    const row = rows?.[index ?? rows.length - 1];
    const target =
      row?.querySelector<HTMLElement>('input[data-filter-value], [data-filter-value] button') ??
      (row ?? form.current)?.querySelector<HTMLElement>('input, button');
    target?.focus();
    if (target instanceof HTMLInputElement) target.select();
  };
  const show = (at: Element | null, index?: number) => {
    drafts.ensureOne();
    wanted.current = index;
    setAnchor(at);
    setLeaving(false);
    setOpen(true);
    if (open) focus(index);
  };
  /** Opens the builder at the row of an entry. */
  const edit = (at: Element | null, entry: number) =>
    show(
      at,
      Math.max(
        drafts.drafts.findIndex((draft) => draft.at === entry),
        0,
      ),
    );
  const button = () => bar.current?.querySelector('[data-filter-button]') ?? null;
  const toggle = () => (open ? leave() : show(button()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves only when the builder opens
  useEffect(() => {
    if (open) focus(wanted.current);
  }, [open]);
  const leave = () => {
    setOpen(false);
    setLeaving(false);
    props.onLeave();
  };
  useImperativeHandle(props.ref, () => ({
    open(column) {
      if (column === undefined) return show(button());
      drafts.addFor(column);
      show(button());
      requestAnimationFrame(() => focus());
    },
  }));
  const ask = (next: FilterEntry[], match: Match) => {
    drafts.asking(next, match);
    props.onApply(next, match);
  };
  const asked = inForce(entries);
  const isShown = sameFilters(applied.filters, asked) && (asked.length < 2 || applied.match === props.match);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect waits for the rows to arrive
  useEffect(() => {
    if (!leaving || !isShown) return;
    if (!isTyping() || form.current?.contains(document.activeElement)) return leave();
    // The user now types in a field outside the filter rows, for example the name of a preset. That field must keep the
    // focus, and the builder must stay open if it contains that field.
    setLeaving(false);
    setOpen(bar.current?.contains(document.activeElement) ?? false);
  }, [leaving, isShown]);

  // The driver's message is shown at the filter that it is about, if that filter is known. The builder then hides the
  // message once the user changes that filter.
  const refused = props.error ? toApiError(props.error) : null;
  const culprit = refused ? refusedFilter(refused, asked) : null;
  const culpritAt = culprit ? entries.findIndex(({ filter, off }) => !off && filter === culprit) : -1;

  return (
    <div ref={bar} className={styles.bar}>
      <FilterChips
        entries={entries}
        match={props.match}
        refusedAt={culpritAt}
        refused={refused !== null}
        describedBy={refused && !open ? calloutId : undefined}
        onEdit={(index, chip) => edit(chip, index)}
        onChange={props.onApply}
      />
      {entries.length > 0 ? (
        <IconButton
          size="small"
          label="Filter"
          shortcut="Shift+Mod+F"
          aria-expanded={open}
          data-filter-button
          onClick={toggle}
        >
          <Plus size={14} aria-hidden />
        </IconButton>
      ) : (
        <button type="button" className={styles.add} aria-expanded={open} data-filter-button onClick={toggle}>
          <ListFilter size={14} aria-hidden />
          <span>Filter</span>
        </button>
      )}
      {open && (
        <BarPanel
          anchor={anchor}
          width={720}
          onClose={(by) => {
            if (by === 'escape') return leave();
            setOpen(false);
            setLeaving(false);
          }}
        >
          <FilterBuilder
            {...{ columns, form }}
            drafts={{
              ...drafts,
              change: (next) => {
                setLeaving(false);
                drafts.change(next);
              },
            }}
            problemAt={(index) => {
              const read = drafts.reads[index];
              if (!read || drafts.drafts[index]?.off) return null;
              if (drafts.attempted && !read.ok) return read.problem;
              if (!refused || !culprit || !isApplied(read, [culprit])) return null;
              return refused.hint ? sentences(refused.message, refused.hint) : refused.message;
            }}
            isApplied={(index) => {
              const read = drafts.reads[index];
              const how = applied.filters.length < 2 || applied.match === drafts.match;
              return (
                read !== undefined && !drafts.drafts[index]?.off && how && isApplied(read, applied.filters)
              );
            }}
            refusal={refused && !culprit ? refused : null}
            presetsOpen={presetsOpen}
            onPresets={() => setPresetsOpen(!presetsOpen)}
            onRemove={(index) => {
              const draft = drafts.drafts[index];
              if (!draft) return;
              drafts.remove(draft.id);
              // Removing a filter must take effect at once: a filter that is not visible must not filter. A filter
              // that is off is also removed at once, or its chip would stay.
              const entry = draft.at === null ? undefined : entries[draft.at];
              if (entry) {
                const left = entries.filter((_, at) => at !== draft.at);
                ask(left, entry.off ? props.match : drafts.match);
              }
              requestAnimationFrame(() => focus());
            }}
            onApply={() => {
              const next = drafts.read();
              if (!next) return;
              drafts.applied();
              ask(next, drafts.match);
              setLeaving(true);
            }}
            onClear={() => {
              drafts.clear();
              ask([], drafts.match);
              requestAnimationFrame(() => focus());
            }}
            onAdd={() => {
              setLeaving(false);
              drafts.add();
              requestAnimationFrame(() => focus());
            }}
          />
          {presetsOpen && (
            <FilterPresets
              connectionId={props.connectionId}
              table={props.table}
              current={() => {
                const next = drafts.read();
                return next && { entries: next, match: drafts.match };
              }}
              onChoose={(preset) => {
                drafts.load(preset.entries, preset.match);
                props.onApply(preset.entries, preset.match);
                setLeaving(true);
              }}
            />
          )}
        </BarPanel>
      )}
      {refused && !open && (
        <FilterCallout
          id={calloutId}
          bar={bar}
          at={culpritAt}
          error={refused}
          onEdit={() =>
            edit(bar.current?.querySelectorAll('[data-filter-chip]')[culpritAt] ?? null, culpritAt)
          }
        />
      )}
    </div>
  );
}

/**
 * Shows why the filters did not run, at the chip of the refused filter, or at the first chip if that filter is unknown.
 * If there is no such chip, the reason is shown at the Filter button.
 */
function FilterCallout(props: {
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
