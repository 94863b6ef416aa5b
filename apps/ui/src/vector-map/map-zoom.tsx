import { Maximize, Minus, Plus } from 'lucide-react';
import { IconButton } from '../shared/icon-button.tsx';
import styles from './vector-map.module.css';

export function MapZoom(props: { onZoom(factor: number): void; onShowAll(): void }) {
  return (
    <div className={styles.zoom}>
      <IconButton label="Zoom in" size="small" onClick={() => props.onZoom(1.4)}>
        <Plus size={14} aria-hidden />
      </IconButton>
      <IconButton label="Zoom out" size="small" onClick={() => props.onZoom(0.7)}>
        <Minus size={14} aria-hidden />
      </IconButton>
      <IconButton label="Show all" size="small" onClick={props.onShowAll}>
        <Maximize size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
