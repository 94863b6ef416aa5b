import { ChangeList } from './change-list.tsx';
import { LoadingNote } from './loading.tsx';
import { offsetForSize } from './paging.ts';
import { PagingBar } from './paging-bar.tsx';
import type { SaveRequests } from './save-request.ts';
import { SearchNote } from './search-note.tsx';
import { StagedBar } from './staged-bar.tsx';
import type { TableActions } from './table-actions.ts';
import { elsewhere } from './table-lines.ts';
import styles from './table-tab.module.css';
import type { Table } from './use-table.ts';

/** Below every view: the staged changes. Below the rows, also the position in the table. */
export function TableFoot(props: {
  table: Table;
  actions: TableActions;
  saves: SaveRequests;
  /** Whether the tab shows rows. */
  paging: boolean;
}) {
  const { table, actions, saves } = props;
  const { view, staged, save, can } = table;
  const { store } = table.props;
  const { asked, shown } = view;
  return (
    <div className={styles.foot}>
      {(staged.counts.total > 0 || save.progress) && (
        <StagedBar
          staged={staged}
          elsewhere={elsewhere(table.lines, staged.rows)}
          progress={save.progress}
          canPreview={can('previewChanges')}
          review={
            <ChangeList
              staged={staged}
              columns={table.props.description.columns}
              disabled={save.progress !== null}
              onGoTo={actions.goToRow}
              onEmpty={() => table.grid.current?.focus()}
            />
          }
          error={save.error}
          onUndo={actions.undo}
          onRedo={actions.redo}
          onDiscard={actions.discard}
          onPreview={saves.preview}
          onSave={saves.save}
          onSaveRows={saves.saveRows}
          columns={table.props.description.columns}
          onCancel={save.cancel}
          onSendAgain={saves.sendAgain}
          onLookForThem={actions.lookForUnknown}
        />
      )}
      {props.paging && (
        <PagingBar
          place={{
            offset: shown?.request.offset ?? 0,
            limit: shown?.request.limit ?? asked.pageSize,
            rows: shown?.page.rows.rowCount,
            total: view.total,
            depth: shown?.page.depth,
          }}
          pageSize={asked.pageSize}
          searching={Boolean(shown?.search)}
          counting={view.counting}
          note={shown?.page.note}
          onOffset={(offset) => store.setState({ offset })}
          onPageSize={(size) => store.setState({ pageSize: size, offset: offsetForSize(asked.offset, size) })}
        >
          {shown?.search && (
            <SearchNote
              search={shown.search}
              filterCount={shown.request.filters.length}
              onClear={() => table.search?.clear()}
            />
          )}
          {table.refusal && <span className={styles.refusal}>{table.refusal}</span>}
          <LoadingNote active={view.isFetching} onCancel={view.cancelLoading} />
        </PagingBar>
      )}
    </div>
  );
}
