import { useQuery } from '@tanstack/react-query';
import { type CountRequest, cellToText, type Filter, type TableDescription } from '@trestle/driver-kit';
import { BoxSelect, ImageDown, Lasso, Maximize, Minus, Move, Plus, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { titleColumn } from '../shared/row-title.ts';
import { SearchField } from '../shared/search-field.tsx';
import { Select } from '../shared/select.tsx';
import { showToast } from '../shared/toast.tsx';
import { clusterLabels } from './cluster-labels.ts';
import { colouringOf, plainColouring } from './colouring.ts';
import { Legend } from './legend.tsx';
import { MapCanvas, type Tool } from './map-canvas.tsx';
import { MapFoot } from './map-foot.tsx';
import { MapOverlay } from './map-overlay.tsx';
import { colourIndex, paletteOf } from './palette.ts';
import { RowCard } from './row-card.tsx';
import { savePicture } from './save-picture.ts';
import { useLitRows } from './use-lit-rows.ts';
import { useVectorMap } from './use-vector-map.ts';
import styles from './vector-map.module.css';
import { fitted, onScreen, type Size, type Viewport, zoomed } from './viewport.ts';

export interface VectorMapProps {
  connectionId: string;
  description: TableDescription;
  /** Table, tenant and filters of the tab. */
  request: CountRequest;
  canSearch: boolean;
  /** Shows rows of the map in the grid. */
  onOpenRows(filters: Filter[]): void;
}

const usualLimit = 50_000;
const largestLimit = 100_000;
const nothing = new Float32Array(0);
const noLabels: never[] = [];
/** Longer lists of keys make a filter that databases refuse. */
const mostKeys = 500;

/** All rows of a table by the nearness of their vectors. */
export default function VectorMap(props: VectorMapProps) {
  const { connectionId, description, request } = props;
  const vectors = description.columns.filter(({ type }) => type === 'vector').map(({ name }) => name);
  const [vector, setVector] = useState(vectors[0] ?? '');
  const [limit, setLimit] = useState(usualLimit);
  const columns = useMemo(() => colourColumns(description), [description]);
  const title = titleColumn(description.columns, description.key)?.name;
  const total = useQuery({
    queryKey: queryKeys.rows(connectionId, request.table, 'count', request),
    queryFn: ({ signal }) => api.tables.count.query({ connectionId, request }, { signal }),
  });
  const question = {
    connectionId,
    request,
    vector,
    key: description.key,
    columns: columns.map(({ name }) => name),
    limit,
  };
  const { state, cancel, again } = useVectorMap(question, total.data);
  const drawn = 'drawn' in state ? state.drawn : undefined;
  const positions = drawn?.positions ?? nothing;
  const points = positions.length / 2;
  const isDone = state.stage === 'done';

  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [own, setOwn] = useState<Viewport | null>(null);
  // The picture grows while it is laid out; once the user has moved it, it stays where they put it.
  const viewport = useMemo(() => own ?? fitted(positions, size), [own, positions, size]);

  const [colourBy, setColourBy] = useState('');
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const values = drawn?.rows.values.get(colourBy);
  const colouring = useMemo(() => {
    const column = columns.find(({ name }) => name === colourBy);
    return column && values ? colouringOf(values.slice(0, points), column.type) : plainColouring(points);
  }, [columns, colourBy, values, points]);
  const palette = useMemo(() => paletteOf(colouring), [colouring]);
  const colourOf = useMemo(() => colourIndex(colouring, palette, off), [colouring, palette, off]);

  const [tool, setTool] = useState<Tool>('move');
  const [hovered, setHovered] = useState(-1);
  const [chosen, setChosen] = useState(-1);
  const [selected, setSelected] = useState<number[]>([]);
  const [typed, setTyped] = useState('');
  const [sought, setSought] = useState('');
  const nearText = description.searches?.modes.find(({ mode }) => mode === 'near_text');
  const mode = nearText && nearText.refusal === undefined ? ('near_text' as const) : ('keyword' as const);
  const target = vectors.length > 1 ? { targetVector: vector.replace(/^vector: /, '') } : {};
  const rows = isDone ? drawn?.rows : undefined;
  const lit = useLitRows({
    connectionId,
    request,
    description,
    asked:
      props.canSearch && sought ? { mode, text: sought, ...(mode === 'near_text' && target) } : undefined,
    limit: 12,
    rows,
    title,
  });
  const key = description.key[0] ?? '';
  const idOf = (point: number) => cellToText(drawn?.rows.keys[point]?.[key] ?? null);
  const titleOf = (point: number) => {
    const value = title === undefined ? null : (drawn?.rows.values.get(title)?.[point] ?? null);
    return value === null ? idOf(point) : cellToText(value);
  };
  const neighbours = useLitRows({
    connectionId,
    request: { ...request, filters: [] },
    description,
    asked:
      props.canSearch && chosen >= 0 ? { mode: 'near_object', objectId: idOf(chosen), ...target } : undefined,
    limit: 9,
    rows,
    title,
  });
  const labels = useMemo(() => {
    if (!isDone || !drawn) return noLabels;
    const texts = columns.filter(({ type }) => type === 'text' || type === 'json');
    return clusterLabels(
      drawn.positions,
      texts.map(({ name }) => drawn.rows.values.get(name) ?? []),
    );
  }, [isDone, drawn, columns]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another map has other points
  useEffect(() => {
    setChosen(-1);
    setSelected([]);
    setOwn(null);
  }, [vector, request.partition, limit]);

  const stage = useRef<HTMLDivElement>(null);
  const openRows = (wanted: number[]) => {
    const ids = wanted.map(idOf);
    props.onOpenRows([
      ids.length === 1
        ? { column: key, operator: 'equals', value: ids[0]! }
        : { column: key, operator: 'in_list', value: ids },
    ]);
  };
  const copyIds = () => {
    void navigator.clipboard.writeText(selected.map(idOf).join('\n'));
    showToast({ title: `${selected.length} ids are in the clipboard` });
  };
  const hoverAt = hovered >= 0 && hovered < points ? onScreen(viewport, positions, hovered) : undefined;
  const middle = { x: size.width / 2, y: size.height / 2 };

  return (
    <div className={styles.map}>
      <div className={styles.bar} role="toolbar" aria-label="Map">
        {props.canSearch && (
          <form
            className={styles.search}
            onSubmit={(event) => {
              event.preventDefault();
              setSought(typed.trim());
            }}
          >
            <SearchField
              label={mode === 'near_text' ? 'Light up what is near in meaning' : 'Light up words'}
              value={typed}
              onValueChange={(text) => {
                setTyped(text);
                if (text === '') setSought('');
              }}
            />
          </form>
        )}
        {vectors.length > 1 && (
          <Select
            size="small"
            aria-label="Vector"
            className={styles.choice}
            value={vector}
            options={vectors.map((name) => ({ value: name, label: name }))}
            onValueChange={setVector}
          />
        )}
        <Select
          size="small"
          aria-label="Colour by"
          className={styles.choice}
          value={colourBy}
          options={[
            { value: '', label: 'One colour' },
            ...columns.map(({ name }) => ({ value: name, label: `Colour: ${name}` })),
          ]}
          onValueChange={(name) => {
            setColourBy(name);
            setOff(new Set());
          }}
        />
        <span className={styles.gap} />
        <IconButton size="small" label="Move" aria-pressed={tool === 'move'} onClick={() => setTool('move')}>
          <Move size={14} aria-hidden />
        </IconButton>
        <IconButton
          size="small"
          label="Select a rectangle"
          aria-pressed={tool === 'rectangle'}
          onClick={() => setTool('rectangle')}
        >
          <BoxSelect size={14} aria-hidden />
        </IconButton>
        <IconButton
          size="small"
          label="Select with a lasso"
          aria-pressed={tool === 'lasso'}
          onClick={() => setTool('lasso')}
        >
          <Lasso size={14} aria-hidden />
        </IconButton>
        <IconButton
          size="small"
          label="Save the picture"
          disabled={points === 0}
          onClick={() => void savePicture(stage.current!, `${request.table}-map.png`)}
        >
          <ImageDown size={14} aria-hidden />
        </IconButton>
      </div>
      {total.error && <ErrorNote error={total.error} />}
      {lit.error && <ErrorNote error={lit.error} />}
      <div ref={stage} className={styles.stage}>
        <MapCanvas
          positions={positions}
          tool={tool}
          label={`Map of ${points} rows of ${request.table} by ${vector}. Arrow keys move, plus and minus zoom, 0 shows all.`}
          colourOf={colourOf}
          palette={palette}
          viewport={viewport}
          onViewport={setOwn}
          onSize={setSize}
          onHover={setHovered}
          onChoose={setChosen}
          onSelect={setSelected}
        >
          <MapOverlay
            positions={positions}
            viewport={viewport}
            labels={labels}
            lit={sought ? (lit.data ?? noLabels) : noLabels}
            showQuery={mode === 'near_text'}
            chosen={chosen}
            neighbours={chosen >= 0 ? (neighbours.data ?? noLabels) : noLabels}
          />
        </MapCanvas>
        {hoverAt && (
          <div className={styles.hover} style={{ left: hoverAt.x + 12, top: hoverAt.y + 12 }}>
            {titleOf(hovered)}
          </div>
        )}
        <Legend
          title={colourBy}
          colouring={colouring}
          palette={palette}
          off={off}
          onToggle={(entry) => setOff((before) => toggled(before, entry))}
        />
        {chosen >= 0 && chosen < points && (
          <RowCard
            title={titleOf(chosen)}
            id={idOf(chosen)}
            neighbours={neighbours.data}
            isReading={neighbours.isFetching}
            error={neighbours.error}
            onOpen={() => openRows([chosen])}
            onClose={() => setChosen(-1)}
          />
        )}
        {selected.length > 0 && (
          <div className={styles.selection} role="toolbar" aria-label="Selected rows">
            <span>{selected.length.toLocaleString()} rows</span>
            <Button
              size="small"
              variant="quiet"
              disabled={selected.length > mostKeys}
              onClick={() => openRows(selected)}
            >
              Open as grid
            </Button>
            <Button size="small" variant="quiet" onClick={copyIds}>
              Copy ids
            </Button>
            {selected.length > mostKeys && (
              <span className={styles.faint}>The grid takes {mostKeys} at most</span>
            )}
            <IconButton label="Clear the selection" size="small" onClick={() => setSelected([])}>
              <X size={14} aria-hidden />
            </IconButton>
          </div>
        )}
        <div className={styles.zoom}>
          <IconButton label="Zoom in" size="small" onClick={() => setOwn(zoomed(viewport, 1.4, middle))}>
            <Plus size={14} aria-hidden />
          </IconButton>
          <IconButton label="Zoom out" size="small" onClick={() => setOwn(zoomed(viewport, 0.7, middle))}>
            <Minus size={14} aria-hidden />
          </IconButton>
          <IconButton label="Show all" size="small" onClick={() => setOwn(null)}>
            <Maximize size={14} aria-hidden />
          </IconButton>
        </div>
        {isDone && points === 0 && (
          <div className={styles.empty}>
            <EmptyState title="No row here has a vector" />
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
      <MapFoot
        state={state}
        total={total.data}
        without={drawn?.rows.without ?? 0}
        limit={limit}
        onCancel={cancel}
        onAgain={again}
        onMore={limit < largestLimit ? () => setLimit(largestLimit) : undefined}
      />
    </div>
  );
}

function toggled(set: ReadonlySet<number>, entry: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(entry)) next.add(entry);
  return next;
}

/** Columns whose values say something about a row; neither keys nor what comes later. */
function colourColumns(description: TableDescription) {
  const types = ['text', 'int', 'number', 'boolean', 'date', 'json', 'any'];
  return description.columns.filter(
    ({ name, type, hidden, deferred }) =>
      types.includes(type) && !hidden && !deferred && !description.key.includes(name),
  );
}
