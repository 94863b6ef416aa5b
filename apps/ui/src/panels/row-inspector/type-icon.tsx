import type { ColumnType } from '@trestle/driver-kit';
import {
  Asterisk,
  Binary,
  Braces,
  CalendarDays,
  Gauge,
  Hash,
  KeyRound,
  Link2,
  type LucideIcon,
  SquareCheck,
  Type,
  Waypoints,
} from 'lucide-react';
import styles from './type-icon.module.css';

type Kind = ColumnType | 'reference' | 'measure';

const icons: Record<Kind, LucideIcon> = {
  text: Type,
  int: Hash,
  number: Hash,
  boolean: SquareCheck,
  date: CalendarDays,
  uuid: KeyRound,
  bytes: Binary,
  json: Braces,
  vector: Waypoints,
  any: Asterisk,
  reference: Link2,
  measure: Gauge,
};

/** An icon for the type of a column. The name of the type is beside it. */
export function TypeIcon({ kind }: { kind: Kind }) {
  const Icon = icons[kind];
  return <Icon size={13} aria-hidden className={styles[kind]} />;
}
