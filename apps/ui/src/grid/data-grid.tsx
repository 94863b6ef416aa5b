// biome-ignore-all lint/a11y/useSemanticElements: a table cannot hold two layers of rows
import { ContextMenu } from '@base-ui/react/context-menu';
import { useCallback, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { AlertDialog } from '../shared/alert-dialog.tsx';
import { byteSize } from './cell-display.ts';
import styles from './data-grid.module.css';
import { createGridActions, type GridContext } from './grid-actions.ts';
import { GridCells } from './grid-cells.tsx';
import { GridMenu } from './grid-menu.tsx';
import { pointerHandlers } from './grid-pointer.ts';
import { GridStatus } from './grid-status.tsx';
import { createGridStore } from './grid-store.ts';
import { keyCommand } from './key-command.ts';
import { headerHeight } from './layout.ts';
import { clampSelection, single } from './navigation.ts';
import { runCommand } from './run-command.ts';
import type { DataGridProps } from './types.ts';
import { useAnchoredLines } from './use-anchored-lines.ts';
import { useCopy } from './use-copy.ts';
import { useGridModel } from './use-grid-model.ts';
import { useKeptInSight } from './use-viewport-changes.ts';
import { ValueEditor } from './value-editor.tsx';

/**
 * The grid: one tab stop, keys and mouse alike, for a table's page and for a query's result.
 * What scrolls are two layers, the pinned columns and the others; what moves lies over them.
 */
export function DataGrid(props: DataGridProps) {
  const gridId = useId();
  // State and not a ref: the cells inside begin to observe it once it is there.
  const [viewport, setViewport] = useState<HTMLDivElement | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const pinnedAnchor = useRef<HTMLDivElement>(null);
  const centreAnchor = useRef<HTMLDivElement>(null);
  const { model, resize } = useGridModel(props, viewport);
  const latest = useRef<GridContext>({ props, model, viewport: null, grid: null });
  latest.current = { props, model, viewport, grid: grid.current };
  const context = useCallback((): GridContext => ({ ...latest.current, grid: grid.current }), []);
  const [store] = useState(createGridStore);
  const [actions] = useState(() => createGridActions(store, context));
  const [pointer] = useState(() => pointerHandlers(store, actions, context));
  const copying = useCopy(store, actions, context);
  useKeptInSight(viewport, store, context);
  useAnchoredLines(store, model.lines, actions);

  useImperativeHandle(props.ref, () => ({
    focus: actions.focus,
    toTop: actions.toTop,
    goTo(line, name) {
      const { columns } = latest.current.model;
      const found = columns.findIndex((column) => (name ? column.name === name : !column.readOnly));
      actions.select(single({ row: line, column: Math.max(0, found) }));
      actions.focus();
    },
  }));

  const [initialScroll] = useState(props.initialScroll);
  useLayoutEffect(() => {
    if (viewport && initialScroll) viewport.scrollTo(initialScroll);
  }, [viewport, initialScroll]);

  // A shorter page must not leave the active cell beyond its end, nor an editor over another row.
  useLayoutEffect(() => {
    const { selection } = store.getState();
    const bounds = { rows: model.lines.length, columns: model.columns.length, pageRows: 1 };
    const inside = clampSelection(selection, bounds);
    const next = inside.active.row < 0 && selection.active.row >= 0 ? single({ row: 0, column: 0 }) : inside;
    store.setState({ selection: next });
  }, [model.lines.length, model.columns.length, store]);

  const copy = copying.copy;
  return (
    <div className={styles.frame}>
      <ContextMenu.Root>
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
          <div
            ref={grid}
            role="grid"
            tabIndex={0}
            aria-label={props.label}
            aria-rowcount={model.lines.length + 1}
            aria-colcount={model.columns.length + 1}
            aria-multiselectable
            aria-readonly={!props.onEdit || props.readOnly !== undefined}
            className={styles.grid}
            style={{
              width: model.gutterWidth + model.pinnedWidth + model.centreWidth,
              height: headerHeight + model.offsets.top(model.lines.length),
            }}
            onFocus={(event) => {
              store.setState({ focused: true });
              // Reached by key, the active cell must be in sight wherever the grid was scrolled to.
              if (event.target === event.currentTarget && event.target.matches(':focus-visible')) {
                actions.select(store.getState().selection);
              }
            }}
            onBlur={() => store.setState({ focused: false })}
            onKeyDown={(event) => {
              if (event.target !== event.currentTarget) return;
              const command = keyCommand(event);
              if (!command || actions.stayInEditor()) return;
              // The editor must stand before the browser types the character: hence at once.
              const done = flushSync(() => runCommand(command, store, actions, context(), copy));
              if (done) event.preventDefault();
            }}
            {...pointer}
          >
            <GridCells
              {...{ gridId, store, actions, model, viewport, pinnedAnchor, centreAnchor }}
              sortable={props.onSort !== undefined}
              onResize={resize}
              onVisibleLines={props.onVisibleLines}
            />
          </div>
        </ContextMenu.Trigger>
        <GridMenu
          {...{ store, actions, context, copy }}
          onResetWidth={(index) => {
            const column = model.columns[index];
            if (column) resize(column, null, true);
          }}
        />
      </ContextMenu.Root>
      <ValueEditor {...{ store, model, actions }} anchors={[pinnedAnchor, centreAnchor]} />
      <GridStatus {...{ store, model, gridId, grid }} className={styles.hidden} />
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
