import { BoxSelect, ImageDown, Lasso, List, Maximize, Minus, Move, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import type { Tool } from './map-drag.ts';
import styles from './vector-map.module.css';

const tools: { tool: Tool; label: string; icon: ReactNode }[] = [
  { tool: 'move', label: 'Move', icon: <Move size={14} aria-hidden /> },
  { tool: 'rectangle', label: 'Select a rectangle', icon: <BoxSelect size={14} aria-hidden /> },
  { tool: 'lasso', label: 'Select with a lasso', icon: <Lasso size={14} aria-hidden /> },
];

/** The buttons in the corner of the map: pointer mode, list of groups, save as a picture, and zoom. */
export function MapTools(props: {
  tool: Tool;
  onTool(tool: Tool): void;
  showsGroups: boolean;
  onGroups(): void;
  /** Undefined while the map has no points. */
  onSavePicture: (() => void) | undefined;
  onZoom(factor: number): void;
  onShowAll(): void;
}) {
  return (
    <div className={styles.tools} role="toolbar" aria-label="Map">
      {tools.map(({ tool, label, icon }) => (
        <IconButton
          key={tool}
          size="small"
          label={label}
          aria-pressed={props.tool === tool}
          onClick={() => props.onTool(tool)}
        >
          {icon}
        </IconButton>
      ))}
      <span className={styles.rule} />
      <IconButton
        size="small"
        label="Groups as a list"
        aria-pressed={props.showsGroups}
        onClick={props.onGroups}
      >
        <List size={14} aria-hidden />
      </IconButton>
      <IconButton
        size="small"
        label="Save the picture"
        disabled={!props.onSavePicture}
        onClick={props.onSavePicture}
      >
        <ImageDown size={14} aria-hidden />
      </IconButton>
      <span className={styles.rule} />
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
