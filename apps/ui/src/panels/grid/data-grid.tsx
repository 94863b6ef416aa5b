import { ContextMenu } from '@base-ui/react/context-menu';
import { useCallback, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand';
import { counted } from '../../controls/text/counted.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { useDensity } from '../../data/settings/density.ts';
import { byteSize } from './cell-display.ts';
import styles from './data-grid.module.css';
import { FindBar } from './find-bar.tsx';
import { forgetFonts } from './fonts.ts';
import { createGridActions, type GridContext } from './grid-actions.ts';
import { GridCells, type GridElementProps } from './grid-cells.tsx';
import { GridMenu } from './grid-menu.tsx';
import { createGridPaste } from './grid-paste.ts';
import { pointerHandlers } from './grid-pointer.ts';
import { createGridStore, type GridStore } from './grid-store.ts';
import { keyCommand } from './key-command.ts';
import { headerHeight, setRowHeight } from './layout.ts';
import { hasMenu } from './menu-items.ts';
import { clampSelection, isSingle, rangeOf, single } from './navigation.ts';
import { ReferenceCard } from './reference-card.tsx';
import { runCommand } from './run-command.ts';
import type { DataGridProps } from './types.ts';
import { useAnchoredColumns } from './use-anchored-columns.ts';
import { useAnchoredLines } from './use-anchored-lines.ts';
import { useCopy } from './use-copy.ts';
import { useGridModel } from './use-grid-model.ts';
import { useReferenceHover } from './use-reference-hover.ts';
import { useKeptInSight } from './use-viewport-changes.ts';
import { ValueEditor } from './value-editor.tsx';

/**
 * The grid, for a table's page and for a query's result: one tab stop, usable by keyboard and mouse. The
 * pinned columns are one layer, the other columns a second one. Selection and editor are drawn above the cells.
 */
export function DataGrid(props: DataGridProps) {
  // Another density changes the positions of cells, so the grid is created again.
  return <DrawnGrid key={useGridDensity()} {...props} />;
}

function DrawnGrid(props: DataGridProps) {
  const gridId = useId();
  // State, not a ref: the cells observe this element, so they must be drawn again once it exists.
  const [viewport, setViewport] = useState<HTMLDivElement | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const pinnedAnchor = useRef<HTMLDivElement>(null);
  const centreAnchor = useRef<HTMLDivElement>(null);
  const { model, resize, fitAll } = useGridModel(props, viewport);
  const latest = useRef<GridContext>({ props, model, viewport: null, grid: null });
  latest.current = { props, model, viewport, grid: grid.current };
  const context = useCallback((): GridContext => ({ ...latest.current, grid: grid.current }), []);
  const [store] = useState(createGridStore);
  const [actions] = useState(() => createGridActions(store, context));
  const [pointer] = useState(() => pointerHandlers(store, actions, context));
  const copying = useCopy(store, actions, context);
  const hover = useReferenceHover(actions);
  const [pasting] = useState(() => createGridPaste(store, actions, context));
  useKeptInSight(viewport, store, context);
  useAnchoredLines(store, model.lines, actions);
  useAnchoredColumns(store, model.columns);

  const copy = copying.copy;
  const clipboard = useMemo(() => ({ copy, paste: pasting.fromMenu }), [copy, pasting]);
  useImperativeHandle(props.ref, () => ({
    focus: actions.focus,
    run: (kind) => void runCommand({ kind }, store, actions, context(), clipboard),
    toTop: actions.toTop,
    goTo(line, name, { focus = true } = {}) {
      const { columns } = latest.current.model;
      const found = columns.findIndex((column) => (name ? column.name === name : !column.readOnly));
      actions.select(single({ row: line, column: Math.max(0, found) }));
      if (focus) actions.focus();
    },
  }));

  const [initialScroll] = useState(props.initialScroll);
  useLayoutEffect(() => {
    if (viewport && initialScroll) viewport.scrollTo(initialScroll);
  }, [viewport, initialScroll]);

  const isCovered = (props.covered ?? 0) > 0;
  // A pane that opens over the grid must not hide the `head` of the selection.
  useLayoutEffect(() => {
    if (isCovered) actions.select(store.getState().selection);
  }, [isCovered, actions, store]);

  const linesBefore = useRef(model.lines.length);
  // On a shorter page, or with fewer columns, the active cell must not lie beyond the end.
  useLayoutEffect(() => {
    const { selection } = store.getState();
    const bounds = { rows: model.lines.length, columns: model.columns.length, pageRows: 1 };
    const inside = clampSelection(selection, bounds);
    // On a page without rows, `clampSelection` returns the header. When the page gets rows, the first cell of the
    // column must be active.
    const wasEmpty = linesBefore.current === 0 && model.lines.length > 0;
    linesBefore.current = model.lines.length;
    const lost = inside.active.row < 0 && (selection.active.row >= 0 || wasEmpty);
    const next = lost ? single({ row: 0, column: Math.max(0, inside.active.column) }) : inside;
    store.setState({ selection: next });
  }, [model.lines.length, model.columns.length, store]);

  const lineCount = model.lines.length;
  const columnCount = model.columns.length;
  const readOnly = !props.onEdit || props.readOnly !== undefined;
  const gridProps = useMemo(
    (): GridElementProps => ({
      ref: grid,
      role: 'grid',
      tabIndex: 0,
      'aria-label': props.label,
      'aria-rowcount': lineCount + 1,
      'aria-colcount': columnCount + 1,
      'aria-multiselectable': true,
      'aria-readonly': readOnly,
      onFocus: (event) => {
        // If the grid gets the focus by keyboard, the `head` of the selection must be scrolled into view.
        if (event.target === event.currentTarget && event.target.matches(':focus-visible')) {
          actions.select(store.getState().selection);
        }
      },
      onPaste: pasting.onPaste,
      onKeyDown: (event) => {
        if (event.target !== event.currentTarget) return;
        const command = keyCommand(event);
        if (!command || actions.stayInEditor()) return;
        // The editor must exist before the browser types the character, so it is drawn synchronously.
        const done = flushSync(() => runCommand(command, store, actions, context(), clipboard));
        if (done) event.preventDefault();
      },
    }),
    [props.label, lineCount, columnCount, readOnly, actions, pasting, store, context, clipboard],
  );
  return (
    <div className={styles.frame} data-grid-frame>
      <ContextMenu.Root
        onOpenChange={(open, change) => {
          if (open && !hasMenu(context().model, store.getState().selection)) change.cancel();
        }}
      >
        <ContextMenu.Trigger
          render={
            <div
              ref={setViewport}
              className={styles.viewport}
              onScroll={(event) =>
                props.onScroll?.({ top: event.currentTarget.scrollTop, left: event.currentTarget.scrollLeft })
              }
            />
          }
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the mouse works on pinned and other columns; keys go to the element with the role grid inside */}
          <div
            className={styles.grid}
            style={{
              width: model.gutterWidth + model.pinnedWidth + model.centreWidth + (props.covered ?? 0),
              height: headerHeight + model.offsets.top(model.lines.length),
            }}
            onFocus={() => store.setState({ focused: true })}
            onBlur={() => store.setState({ focused: false })}
            onPointerOver={props.referencePreview && hover.onPointerOver}
            onPointerOut={props.referencePreview && hover.onPointerOut}
            {...pointer}
          >
            <GridCells
              {...{ gridId, store, actions, model, viewport, pinnedAnchor, centreAnchor }}
              grid={gridProps}
              sortable={props.onSort !== undefined}
              onResize={resize}
              onVisibleLines={props.onVisibleLines}
            />
          </div>
        </ContextMenu.Trigger>
        <GridMenu
          {...{ store, actions, context, copy }}
          paste={pasting.fromMenu}
          onWidth={(index, width) => {
            const column = model.columns[index];
            if (column) resize(column, width, true);
          }}
          onFitAll={fitAll}
        />
      </ContextMenu.Root>
      <ValueEditor {...{ store, model, actions }} anchors={[pinnedAnchor, centreAnchor]} />
      {props.referencePreview && <ReferenceCard hover={hover} preview={props.referencePreview} />}
      <FindBar {...{ store, model, actions }} />
      <GridStatus store={store} className={styles.hidden} />
      <AlertDialog
        open={copying.pending !== null}
        title={`Copy about ${byteSize(copying.pending?.characters ?? 0)}?`}
        confirm="Copy"
        onConfirm={() => copying.pending?.proceed()}
        onCancel={copying.dismiss}
      >
        A clipboard this large can stall other programs. Fewer rows or columns copy faster.
      </AlertDialog>
    </div>
  );
}

/** Announces a notice, or else the size of a selected range, to assistive technology. */
function GridStatus(props: { store: GridStore; className: string | undefined }) {
  const { selection, notice } = useStore(props.store);
  const { top, bottom, left, right } = rangeOf(selection);
  const range = isSingle(selection)
    ? ''
    : `${counted(bottom - top + 1, 'row')} by ${counted(right - left + 1, 'column')} selected`;
  return (
    <div role="status" className={props.className}>
      {notice ?? range}
    </div>
  );
}

let drawnWith: string | undefined;

/**
 * Returns the density. If the density changed, the hook reads the row height from CSS and forgets the measured fonts,
 * before the grid is laid out.
 */
function useGridDensity(): string {
  const { density } = useDensity();
  if (density !== drawnWith) {
    drawnWith = density;
    const height = getComputedStyle(document.documentElement).getPropertyValue('--row-height');
    setRowHeight(Number.parseFloat(height) || 26);
    forgetFonts();
  }
  return density;
}
