import type { Cell } from '@trestle/driver-kit';
import { useEffect, useState } from 'react';
import { editText } from '../value-editors/edit-text.ts';
import type { Draft, InspectedProperty, InspectorPart } from './inspected-row.ts';
import { PropertyEditor } from './property-editor.tsx';
import { PropertyRow } from './property-row.tsx';
import styles from './row-inspector.module.css';

/**
 * Every property with its type and value, except vectors and measures of a search. A text that is being typed belongs
 * to its row: it is back when the cursor returns to the row.
 */
export function PropertySection(part: InspectorPart) {
  const { row, activeColumn, onStage } = part;
  const [drafts, setDrafts] = useState<Record<string, Draft>>({});
  const [opened, setOpened] = useState<string | null>(null);
  // When the cursor of the grid returns to a row, the editor there must not take the focus from the grid.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reset for each row
  useEffect(() => setOpened(null), [row.id]);
  const idOf = ({ name }: InspectedProperty) => `${row.id}:${name}`;
  const put = (id: string, draft: Draft | null) =>
    setDrafts(({ [id]: _, ...others }) => (draft ? { ...others, [id]: draft } : others));
  const shown = row.properties.filter(({ type, isMeasure }) => type !== 'vector' && !isMeasure);
  return (
    <dl className={styles.properties}>
      {shown.map((property) => {
        const id = idOf(property);
        const stage = property.refusal === undefined && ((cell: Cell) => onStage(property.name, cell));
        const draft = stage ? drafts[id] : undefined;
        return (
          <PropertyRow
            key={property.name}
            property={property}
            rowId={row.id}
            isActive={property.name === activeColumn}
            onOpenReference={part.onOpenReference}
            onToggle={stage && typeof property.cell === 'boolean' ? () => stage(!property.cell) : undefined}
            onEdit={
              stage && !draft && !property.isPending
                ? () => {
                    const began = editText(property.cell);
                    setOpened(id);
                    put(id, { text: began, began });
                  }
                : undefined
            }
          >
            {draft && (
              <PropertyEditor
                property={property}
                draft={draft}
                takesFocus={opened === id}
                onText={(text) => put(id, { ...draft, text })}
                onDone={(cell) => {
                  put(id, null);
                  if (cell !== undefined) onStage(property.name, cell);
                }}
              />
            )}
          </PropertyRow>
        );
      })}
    </dl>
  );
}
