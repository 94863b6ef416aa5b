import type { CountRequest, Filter, RowKey, TableDescription } from '@trestle/driver-kit';
import { type CSSProperties, type Ref, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import type { BarPlaces } from '../../controls/layout/in-bar.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { counted } from '../../controls/text/counted.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { showError, showToast } from '../../data/messages/toast.tsx';
import { keyFilters } from '../../data/rows/key-filters.ts';
import { titleColumn, titleText } from '../../data/rows/row-title.ts';
import type { Export } from '../export/index.ts';
import { vectorChoices } from '../neighbours/vector-choice.ts';
import { clusterLabels } from './cluster-labels.ts';
import { Legend } from './legend.tsx';
import { MapBar } from './map-bar.tsx';
import { MapCanvas } from './map-canvas.tsx';
import type { Tool } from './map-drag.ts';
import { MapExport } from './map-export.tsx';
import { MapFoot } from './map-foot.tsx';
import { MapGroups } from './map-groups.tsx';
import { MapOverlay } from './map-overlay.tsx';
import { isUnderway } from './map-question.ts';
import { MapRows } from './map-rows.ts';
import { type MapSelection, noSelection, selectedOf } from './map-selection.ts';
import { MapTools } from './map-tools.tsx';
import { RowCard } from './row-card.tsx';
import { savePicture } from './save-picture.ts';
import { mostInGrid, SelectionBar } from './selection-bar.tsx';
import { type MapRow, useChosenRow } from './use-chosen-row.ts';
import { useColours } from './use-colours.ts';
import { useMapQuestion } from './use-map-question.ts';
import { useMapView } from './use-map-view.ts';
import { useNeighbours } from './use-neighbours.ts';
import { useSearchOnMap } from './use-search-on-map.ts';
import { useVectorMap } from './use-vector-map.ts';
import styles from './vector-map.module.css';
import { onScreen, type Size } from './viewport.ts';

export interface VectorMapProps {
  connectionId: string;
  description: TableDescription;
  /** Table, partition and filters of the tab. */
  request: CountRequest;
  bar: BarPlaces;
  /** The search box, whose results are marked on the map. */
  searchField: Ref<HTMLInputElement>;
  can: { search: boolean; sample: boolean; readCells: boolean };
  /** The export of the tab. The map's export dialog starts it. */
  exporting: Export;
  /** Pixels at the right that the inspector covers. */
  covered: number;
  /** Shows rows of the map in the grid. */
  onOpenRows(filters: Filter[]): void;
  /** Shows the chosen row in full; null if no row is chosen. */
  onInspect(row: MapRow | null): void;
}

const nothing = new Float32Array(0);
const noLabels: never[] = [];

/** The rows of a table within the tab's filters and the row limit, placed by the similarity of their vectors. */
export default function VectorMap(props: VectorMapProps) {
  const { connectionId, description, request, can } = props;
  const { question, columns, total, vectors, setVector, readMore } = useMapQuestion({
    connectionId,
    description,
    request,
    canSample: can.sample,
  });
  const { vector, limit } = question;
  const title = titleColumn(columns, description.key)?.name;
  const { state, isChanged, isSample, cancel, again } = useVectorMap(
    total.data === undefined ? undefined : question,
    can.readCells,
  );
  const drawn = 'drawn' in state ? state.drawn : undefined;
  const positions = drawn?.positions ?? nothing;
  const points = positions.length / 2;
  const isDone = state.stage === 'done';
  const rows = isDone ? drawn?.rows : undefined;
  // Without points, search, colours and tools would do nothing.
  const isUsable = points > 0 || (isUnderway(state) && !(total.error && total.data === undefined));

  const view = useMapView(positions);
  const { viewport } = view;
  const [tool, setTool] = useState<Tool>('move');
  const [current, setCurrent] = useState(-1);
  const [chosen, setChosen] = useChosenRow(rows, vector, props.onInspect);
  const [selection, setSelection] = useState<MapSelection>(noSelection);
  const selected = selectedOf(selection, drawn?.rows);
  const colours = useColours(`${connectionId}/${request.table}`, columns, drawn?.rows, points, selected);
  const [showsGroups, setShowsGroups] = useState(false);
  const [isExporting, setIsExporting] = useState(false);

  const targetVector = vectorChoices(description).find(({ column }) => column === vector)?.target;
  const search = useSearchOnMap({
    question: { connectionId, request },
    description,
    canSearch: can.search,
    targetVector,
    rows,
    title,
  });
  const neighbours = useNeighbours({
    connectionId,
    request,
    description,
    vector,
    canSearch: can.search,
    row: chosen >= 0 ? rows?.keys[chosen] : undefined,
    rows,
  });
  const labels = useMemo(() => {
    if (!isDone || !drawn) return noLabels;
    const texts = columns.filter(({ type }) => type === 'text' || type === 'json');
    return clusterLabels(
      drawn.positions,
      texts.map(({ name }) => drawn.rows.values.get(name) ?? []),
    );
  }, [isDone, drawn, columns]);
  const titleOf = (point: number) => {
    const value = title === undefined ? null : drawn?.rows.values.get(title)?.[point];
    return titleText(value) ?? MapRows.idOf(drawn?.rows.keys[point] ?? {});
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another map has other points
  useEffect(() => setCurrent(-1), [drawn?.rows]);
  const wanted = JSON.stringify([request, vector, limit]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another map has other positions
  useEffect(() => view.showAll(), [wanted]);

  const stage = useRef<HTMLDivElement>(null);
  const keysOf = (wanted: number[]): RowKey[] =>
    wanted.map((point) => drawn?.rows.keys[point]).filter((key) => key !== undefined);
  const openerOf = (wanted: number[]) => {
    const filters = keyFilters(keysOf(wanted));
    return filters ? () => props.onOpenRows(filters) : undefined;
  };
  const copyIds = async () => {
    try {
      await navigator.clipboard.writeText(keysOf(selected).map(MapRows.idOf).join('\n'));
      const ids = counted(selected.length, 'id is', 'ids are');
      showToast({ title: `${ids} in the clipboard` });
    } catch (error) {
      showError('The list of ids was not copied', error);
    }
  };
  const isCurrent = current >= 0 && current < points;
  const currentAt = isCurrent ? onScreen(viewport, positions, current) : undefined;
  const count = counted(points, 'row');

  return (
    <div className={styles.map} style={{ '--covered': `${props.covered}px` }}>
      <MapBar
        bar={props.bar}
        searchField={props.searchField}
        searchLabel={can.search && isUsable ? search.label : undefined}
        onSearch={search.seek}
        vectors={vectors}
        vector={vector}
        onVector={setVector}
        columns={isUsable ? columns.map(({ name }) => name) : undefined}
        colourBy={colours.by}
        onColourBy={colours.chooseColumn}
      />
      {total.error && <ErrorNote error={total.error} />}
      {search.error && <ErrorNote error={search.error} />}
      <div ref={stage} className={styles.stage}>
        <MapCanvas
          positions={positions}
          tool={tool}
          label={`Map of ${count} of ${request.table} by ${vector}. Arrow keys move it, plus and minus zoom, 0 shows all. Shift and an arrow go from point to point, Enter opens one.`}
          current={current}
          colourOf={colours.colourOf}
          palette={colours.palette}
          viewport={viewport}
          onViewport={view.setViewport}
          onSize={view.setSize}
          onHover={setCurrent}
          onChoose={setChosen}
          onSelect={(points) => setSelection({ rows: drawn?.rows, points })}
        >
          <MapOverlay
            positions={positions}
            viewport={viewport}
            labels={labels}
            lit={search.rows}
            showQuery={search.byMeaning}
            chosen={chosen}
            current={current}
            neighbours={chosen >= 0 ? (neighbours.data ?? noLabels) : noLabels}
          />
        </MapCanvas>
        {currentAt && (
          <div className={styles.hover} role="status" style={besidePoint(currentAt, view.size)}>
            {titleOf(current)}
          </div>
        )}
        <Legend
          title={colours.by}
          colouring={colours.colouring}
          palette={colours.palette}
          off={colours.off}
          onToggle={colours.toggle}
        />
        {rows?.keys[chosen] && (
          <RowCard
            title={titleOf(chosen)}
            neighbours={can.readCells ? undefined : neighbours}
            onChoose={setChosen}
            onOpen={() => openerOf([chosen])?.()}
            onClose={() => setChosen(-1)}
          />
        )}
        {showsGroups && chosen < 0 && <MapGroups groups={labels} isDone={isDone} onShow={view.goTo} />}
        {selected.length > 0 && (
          <SelectionBar
            count={selected.length}
            onOpen={selected.length > mostInGrid ? undefined : openerOf(selected)}
            onCopy={copyIds}
            onExport={can.readCells ? () => setIsExporting(true) : undefined}
            onClear={() => setSelection(noSelection)}
          />
        )}
        {isUsable && (
          <MapTools
            tool={tool}
            onTool={setTool}
            showsGroups={showsGroups}
            onGroups={() => setShowsGroups(!showsGroups)}
            onSavePicture={
              points > 0 ? () => void savePicture(stage.current!, `${request.table}-map.png`) : undefined
            }
            onZoom={view.zoom}
            onShowAll={view.showAll}
          />
        )}
        {isDone && points === 0 && (
          <div className={styles.empty}>
            <EmptyState title="No row here has a vector that the map can use" />
          </div>
        )}
        {state.stage === 'failed' && (
          <div className={styles.empty}>
            <ErrorNote error={state.error}>
              <Button size="small" onClick={again}>
                Try again
              </Button>
            </ErrorNote>
          </div>
        )}
      </div>
      {isExporting && (
        <MapExport
          connectionId={connectionId}
          description={description}
          request={request}
          keys={keysOf(selected)}
          exporting={props.exporting}
          onClose={() => setIsExporting(false)}
        />
      )}
      <MapFoot
        state={state}
        total={total.data}
        without={drawn?.rows.without ?? 0}
        limit={limit}
        sample={isSample}
        isChanged={isChanged}
        onCancel={cancel}
        onAgain={again}
        onMore={readMore}
      />
    </div>
  );
}

/** Places the tooltip below the point, or above it near the lower edge, and on the side with more space. */
function besidePoint(at: { x: number; y: number }, size: Size): CSSProperties {
  return {
    ...(at.x < size.width / 2 ? { left: at.x + 12 } : { right: size.width - at.x + 12 }),
    ...(at.y < size.height - 40 ? { top: at.y + 12 } : { bottom: size.height - at.y + 12 }),
  };
}
