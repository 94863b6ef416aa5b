import { Copy, Download } from 'lucide-react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Segments } from '../../controls/buttons/segments.tsx';
import { Menu } from '../../controls/menus/menu.tsx';
import { formatsOf } from './result-file.ts';
import styles from './results.module.css';
import type { ResultsState } from './use-results.ts';

/** The actions on the result that is shown. */
export function ResultTools({ results }: { results: ResultsState }) {
  const result = results.shown?.result;
  if (!result || result.kind === 'affected') return null;
  return (
    <div className={styles.tools} role="toolbar" aria-label="Result">
      {result.kind === 'rows' && (
        <Segments
          label="View of the result"
          value={results.view}
          options={[
            { value: 'grid', label: 'Grid' },
            { value: 'json', label: 'JSON' },
          ]}
          onValueChange={results.setView}
        />
      )}
      <IconButton label="Copy as JSON" size="small" onClick={results.copy}>
        <Copy size={14} aria-hidden />
      </IconButton>
      <Menu
        align="end"
        trigger={
          <IconButton label="Export the result" size="small">
            <Download size={14} aria-hidden />
          </IconButton>
        }
        entries={formatsOf(result).map(({ format, label }) => ({
          label,
          onSelect: () => void results.download(format),
        }))}
      />
    </div>
  );
}
