import type { Design, DesignField, DesignPart, DesignProblem } from '@trestle/driver-kit';
import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { problemsAt, withItemField, withNewItem, withoutItem } from './design-edits.ts';
import { FieldList } from './field-list.tsx';
import styles from './table-design.module.css';

/** The items of a part as cards, for items with many fields. */
export function ItemCards(props: {
  connectionId: string;
  design: Design;
  part: DesignPart;
  problems: DesignProblem[];
  onChange(design: Design): void;
}) {
  const { connectionId, design, part, problems, onChange } = props;
  const [singular, plural] = part.terms;
  const items = design.parts[part.id] ?? [];
  return (
    <>
      {items.length === 0 && <p className={styles.help}>No {plural}.</p>}
      {items.map((item, at) => {
        const name = String(item.fields.name ?? '') || `${singular} ${at + 1}`;
        const own = problemsAt(problems, part.id, [at]);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other identity; its fields hold no state
          <section key={at} className={styles.card} aria-label={name}>
            <IconButton
              size="small"
              className={styles.remove}
              label={`Remove ${name}`}
              onClick={() => onChange(withoutItem(design, part.id, [at]))}
            >
              <Trash2 size={13} aria-hidden />
            </IconButton>
            <FieldList
              {...{ connectionId, design }}
              fields={part.fields}
              values={item.fields}
              problems={own}
              onChange={(field: DesignField, value) =>
                onChange(withItemField(design, part.id, [at], field.id, value))
              }
            />
          </section>
        );
      })}
      <Button
        size="small"
        icon={<Plus size={13} aria-hidden />}
        onClick={() => onChange(withNewItem(design, part.id).design)}
      >
        Add {singular}
      </Button>
    </>
  );
}
