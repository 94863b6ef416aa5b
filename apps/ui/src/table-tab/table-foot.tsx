import { ChangeList } from './change-list.tsx';
import { LoadingNote } from './loading.tsx';
import { offsetForSize } from './paging.ts';
import { PagingBar } from './paging-bar.tsx';
import type { SaveRequests } from './save-request.ts';
import { SearchNote } from './search-note.tsx';
import { StagedBar } from './staged-bar.tsx';
import type { TableActions } from './table-actions.ts';
import { elsewhere } from './table-lines.ts';
import type { DescribedTableProps, TablePlaces, TableRights, TableStaging } from './table-parts.ts';
import styles from './table-tab.module.css';
import type { Search } from './use-search.ts';
import type { TableView } from './use-table-view.ts';

/** Below every view: the staged changes. Below the rows, also the position in the table. */
export function TableFoot(props: {
  tab: DescribedTableProps;
  view: TableView;
  rights: TableRights;
  staging: TableStaging;
  search: Search;
  places: TablePlaces;
  actions: TableActions;
  saves: SaveRequests;
  /** Whether the tab shows rows. */
  paging: boolean;
}) {
  const { view, rights, actions, saves } = props;
  const { staged, save, lines } = props.staging;
  const { store, description } = props.tab;
  const { asked, shown } = view;
  return (
    <div className={styles.foot}>
      {(staged.counts.total > 0 || save.progress) && (
        <StagedBar
          staged={staged}
          elsewhere={elsewhere(lines, staged.rows)}
          progress={save.progress}
          canPreview={rights.can('previewChanges')}
          review={
            <ChangeList
              staged={staged}
              columns={description.columns}
              disabled={save.progress !== null}
              onGoTo={actions.goToRow}
              onEmpty={() => props.places.grid.current?.focus()}
            />
          }
          error={save.error}
          onUndo={actions.undo}
          onRedo={actions.redo}
          onDiscard={actions.discard}
          onPreview={saves.preview}
          onSave={saves.save}
          onSaveRows={saves.saveRows}
          columns={description.columns}
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
              onClear={() => props.search?.clear()}
            />
          )}
          {rights.refusal && <span className={styles.refusal}>{rights.refusal}</span>}
          <LoadingNote active={view.isFetching} onCancel={view.cancelLoading} />
        </PagingBar>
      )}
    </div>
  );
}
