import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../controls/text/counted.ts';
import { endOfError, windowJob } from '../../data/jobs/window-job.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { drawMap } from './draw-map.ts';
import { type Fingerprint, fingerprint, isStillKept, loadMap } from './kept-map.ts';
import { type DoneMap, type MapQuestion, type MapState, questionId } from './map-question.ts';
import { type RememberedMap, rememberMap, watchRows } from './remember-map.ts';

interface Kept extends RememberedMap {
  /** Identifies the question of the map. */
  id: string;
}

/**
 * Shows the stored map if there is one. If there is none, or if its rows may have changed, reads the rows and lays them
 * out. `cancel` and leaving the map end this work. While the question is undefined, nothing starts.
 */
export function useVectorMap(question: MapQuestion | undefined, canReadCells: boolean) {
  const id = question && questionId(question);
  const [state, setState] = useState<MapState>({ stage: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const [kept, setKept] = useState<Kept | null>(null);
  const running = useRef<AbortController>(undefined);
  const fresh = useRef(false);
  const cancel = (drawing: AbortController | undefined) => {
    drawing?.abort();
    setState((before) => ({ stage: 'cancelled', drawn: 'drawn' in before ? before.drawn : undefined }));
  };
  const [isSample, setIsSample] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id identifies the question
  useEffect(() => {
    // The map of the previous question must not stay, even while there is no new question.
    setState({ stage: 'opening' });
    setKept(null);
    if (!question) return;
    setIsSample(question.sample);
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const look = { canReadCells, signal };
    const remember = async (done: DoneMap, isChanged: () => boolean) => {
      // Continues after the user leaves the map. Otherwise the drawn map would be lost.
      const remembered = await rememberMap(question, done, { canReadCells, isChanged });
      if (!signal.aborted) setKept({ id: questionId(question), ...remembered });
    };
    const begin = async () => {
      // If the stored map cannot be loaded, the map is drawn again. If the app cannot be reached, `drawMap` reports the error.
      const known = fresh.current ? null : await loadMap(question, signal).catch(() => null);
      fresh.current = false;
      if (signal.aborted) return;
      if (known) {
        setState(known);
        const now = await fingerprint(question, known.drawn, look).catch(() => null);
        if (signal.aborted) return;
        if (now && isSame(now, known.print))
          return setKept({ id: questionId(question), print: now, isKept: true, isOutdated: false });
      }
      if (!known) setState({ stage: 'reading', read: 0, rate: 0 });
      const isChanged = watchRows(question.connectionId, question.request.table, signal);
      const { connectionId, request } = question;
      const job = windowJob({ kind: 'map', connectionId, table: request.table }, () => cancel(controller));
      signal.addEventListener('abort', () => job.end(endOfError(undefined, signal)), { once: true });
      await drawMap(question, signal, (next) => {
        if (signal.aborted) return;
        follow(job, next);
        setState(next.stage === 'reading' && !next.drawn && known ? { ...next, drawn: known.drawn } : next);
        // Without a fingerprint the map is not stored, and is drawn again the next time.
        if (next.stage === 'done') remember(next, isChanged).catch(() => {});
      });
    };
    void begin();
    return () => controller.abort();
  }, [id, attempt]);
  const isChanged = useIsChanged(question, id, kept, state, canReadCells);
  return {
    state,
    isChanged,
    /** The map shows a random sample of the rows. */
    isSample,
    cancel: () => cancel(running.current),
    /** Reads the rows and draws the map again, even if the app has a stored map. */
    again() {
      fresh.current = true;
      setAttempt((count) => count + 1);
    },
  };
}

/** Tells the job of a map how far the map is. */
function follow(job: ReturnType<typeof windowJob>, state: MapState): void {
  if (state.stage === 'reading')
    job.report({ done: state.read, total: null, words: `${counted(state.read, 'row')} read` });
  else if (state.stage === 'laying')
    job.report({ done: state.progress, total: 1, words: `Placing ${counted(state.read, 'row')}` });
  else if (state.stage === 'done')
    job.end({ how: 'complete', words: `${counted(state.drawn.rows.count, 'row')} drawn` });
  else if (state.stage === 'failed') job.end(endOfError(state.error, new AbortController().signal));
}

/**
 * Whether rows may have changed since the map was drawn. Checked when the table's cached data is invalidated. The map
 * is not drawn again automatically: the user may be working in it.
 */
function useIsChanged(
  question: MapQuestion | undefined,
  id: string | undefined,
  kept: Kept | null,
  state: MapState,
  canReadCells: boolean,
): boolean {
  const isCurrent = kept !== null && kept.id === id && state.stage === 'done';
  const check = useQuery({
    queryKey: queryKeys.rows(
      question?.connectionId ?? '',
      question?.request.table ?? '',
      'map',
      id,
      kept?.print,
      state.stage === 'done' ? state.at : 0,
    ),
    enabled: isCurrent,
    initialData: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      if (!question || !kept || state.stage !== 'done') return false;
      if (kept.isKept && !(await isStillKept(question, signal))) return true;
      return !isSame(await fingerprint(question, state.drawn, { canReadCells, signal }), kept.print);
    },
  });
  return isCurrent && (kept.isOutdated || check.data);
}

function isSame(one: Fingerprint, other: Fingerprint): boolean {
  return one.total === other.total && one.sum === other.sum;
}
