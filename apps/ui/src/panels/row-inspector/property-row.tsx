import { cellToText } from '@trestle/driver-kit';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import type { InspectedProperty, InspectorPart } from './inspected-row.ts';
import { PropertyValue } from './property-value.tsx';
import styles from './row-inspector.module.css';
import { TypeIcon } from './type-icon.tsx';
import { useInSight } from './use-in-sight.ts';

/** A property: its name and type, its value, and buttons to copy and edit it. */
export function PropertyRow(props: {
  property: InspectedProperty;
  rowId: string;
  /** The grid's cursor is in this column. */
  isActive: boolean;
  onOpenReference: InspectorPart['onOpenReference'];
  onToggle: (() => void) | undefined;
  /** Undefined if the value cannot be changed, is being edited, or is still loading. */
  onEdit: (() => void) | undefined;
  /** The editor, in place of the value. */
  children: ReactNode;
}) {
  const { property, isActive, onEdit } = props;
  const { name, cell } = property;
  const element = useInSight(isActive, props.rowId);
  return (
    <div
      ref={element}
      className={styles.property}
      data-active={isActive || undefined}
      data-edited={property.isEdited || undefined}
    >
      <dt title={property.comment}>
        <TypeIcon kind={property.references ? 'reference' : property.type} />
        <span className={styles.name}>{name}</span>
        <span className={styles.type}>{property.nativeType ?? property.type}</span>
      </dt>
      <dd>
        {props.children || (
          // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keyboard has the Edit button
          <div className={styles.value} onDoubleClick={(event) => !isControl(event.target) && onEdit?.()}>
            <PropertyValue
              property={property}
              onToggle={props.onToggle}
              onOpenReference={props.onOpenReference}
            />
            {property.problem && <span className={styles.problem}>{property.problem}</span>}
          </div>
        )}
        {!props.children && (
          <span className={styles.acts}>
            {cell !== undefined && cell !== null && (
              <CopyButton compact what={name} text={cellToText(cell)} />
            )}
            {onEdit && (
              <IconButton label={`Edit ${name}`} size="small" onClick={onEdit}>
                <Pencil size={13} aria-hidden />
              </IconButton>
            )}
          </span>
        )}
      </dd>
    </div>
  );
}

/** A double click on a fold, a checkbox or a chip must not start an edit. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, [role=checkbox]') !== null;
}
