import { Button } from '../controls/buttons/button.tsx';
import { EmptyState } from '../controls/marks/empty-state.tsx';
import { ProgressLine } from './loading.tsx';
import { PartitionList } from './partition-list.tsx';
import type { TableActions } from './table-actions.ts';
import type { DescribedTableProps, TableRights } from './table-parts.ts';
import styles from './table-tab.module.css';
import { useActivation } from './use-activation.ts';
import type { Partitions } from './use-page.ts';

/** Shown until rows can be read: the list of partitions (tenants), or why the chosen one cannot be read. */
export function TablePartitions(props: {
  tab: DescribedTableProps;
  partition: string | undefined;
  partitions: Partitions;
  rights: TableRights;
  actions: TableActions;
}) {
  const { tab, partitions, actions } = props;
  const { activating, activate } = useActivation(tab.connectionId, tab.table);
  const canActivate = props.rights.can('activatePartition') && tab.safeMode !== 'readOnly';
  const chosen = partitions.data?.find(({ name }) => name === props.partition);
  return (
    <div className={styles.gridArea}>
      <ProgressLine active={partitions.isFetching || activating !== null} />
      {chosen?.unavailable && (
        <EmptyState
          title={`${chosen.name} cannot be read now`}
          action={
            <span className={styles.acts}>
              {chosen.activates && canActivate && (
                <Button
                  variant="primary"
                  disabled={activating !== null}
                  focusableWhenDisabled
                  onClick={() => activate(chosen.name)}
                >
                  {activating ? 'Activating…' : 'Activate'}
                </Button>
              )}
              <Button onClick={actions.leavePartition}>Choose another tenant</Button>
            </span>
          }
        >
          {chosen.unavailable}
        </EmptyState>
      )}
      {partitions.data && !chosen?.unavailable && (
        <PartitionList
          table={tab.table}
          partitions={partitions.data}
          activating={activating}
          onChoose={actions.changePartition}
          onActivate={canActivate ? (name) => activate(name, () => actions.showActivated(name)) : undefined}
        />
      )}
    </div>
  );
}
