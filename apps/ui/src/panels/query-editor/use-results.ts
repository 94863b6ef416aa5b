import { useState } from 'react';
import { showError, showToast } from '../../data/messages/toast.tsx';
import { firstToShow, resultEntries } from './result-entries.ts';
import { downloadResult, type ResultFormat, resultText } from './result-file.ts';
import type { Batch } from './use-run-query.ts';

export type ResultViewName = 'grid' | 'json';
export type ResultsState = ReturnType<typeof useResults>;

/** The results of the last batch, the result in front, and the actions on that result. */
export function useResults(batch: Batch | null, title: string) {
  const [view, setView] = useState<ResultViewName>('grid');
  const [chosen, setChosen] = useState<{ of: Batch; id: string } | null>(null);
  const entries = batch ? resultEntries(batch) : [];
  // The user's choice applies to one batch, also while the batch runs. Each statement that ends makes a new `batch`
  // object. Two objects are the same batch if they share the first finished statement.
  const isOfThis = chosen !== null && batch !== null && chosen.of.finished[0] === batch.finished[0];
  const wanted = isOfThis ? chosen.id : batch ? firstToShow(batch, entries) : '';
  const shown = entries.find(({ id }) => id === wanted) ?? entries[0];
  const result = shown?.result;
  return {
    batch,
    entries,
    shown,
    view,
    setView,
    show(id: string) {
      if (batch) setChosen({ of: batch, id });
    },
    /** Copies the result in front as JSON. */
    async copy() {
      if (!result) return;
      try {
        await navigator.clipboard.writeText(resultText(result, 'json').trimEnd());
        showToast({ title: result.kind === 'rows' ? 'Copied the rows as JSON' : 'Copied the document' });
      } catch (error) {
        showError('The result was not copied', error);
      }
    },
    download(format: ResultFormat) {
      if (!result || !shown) return;
      try {
        downloadResult(result, format, shown.label === 'Result' ? title : `${title} ${shown.label}`);
        showToast({ title: 'Exported the result to the browser’s downloads' });
      } catch (error) {
        showError('The result was not exported', error);
      }
    },
  };
}
