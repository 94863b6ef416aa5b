import { BoxSelect, ImageDown, Lasso, List, Move } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../shared/icon-button.tsx';
import { SearchField } from '../shared/search-field.tsx';
import { Select } from '../shared/select.tsx';
import type { Tool } from './map-canvas.tsx';
import styles from './vector-map.module.css';

const tools: { tool: Tool; label: string; icon: ReactNode }[] = [
  { tool: 'move', label: 'Move', icon: <Move size={14} aria-hidden /> },
  { tool: 'rectangle', label: 'Select a rectangle', icon: <BoxSelect size={14} aria-hidden /> },
  { tool: 'lasso', label: 'Select with a lasso', icon: <Lasso size={14} aria-hidden /> },
];

/** What is lit up, by which vector and column the map is drawn, and what the pointer does. */
export function MapBar(props: {
  /** Undefined where nothing can be searched for. */
  searchLabel: string | undefined;
  onSearch(text: string): void;
  vectors: string[];
  vector: string;
  onVector(name: string): void;
  columns: string[];
  colourBy: string;
  onColourBy(name: string): void;
  tool: Tool;
  onTool(tool: Tool): void;
  showsGroups: boolean;
  onGroups(): void;
  /** Undefined before there is a picture. */
  onSavePicture: (() => void) | undefined;
}) {
  const [typed, setTyped] = useState('');
  return (
    <div className={styles.bar} role="toolbar" aria-label="Map">
      {props.searchLabel && (
        <form
          className={styles.search}
          onSubmit={(event) => {
            event.preventDefault();
            props.onSearch(typed.trim());
          }}
        >
          <SearchField
            label={props.searchLabel}
            value={typed}
            onValueChange={(text) => {
              setTyped(text);
              if (text === '') props.onSearch('');
            }}
          />
        </form>
      )}
      {props.vectors.length > 1 && (
        <Select
          size="small"
          aria-label="Vector"
          className={styles.choice}
          value={props.vector}
          options={props.vectors.map((name) => ({ value: name, label: name }))}
          onValueChange={props.onVector}
        />
      )}
      <Select
        size="small"
        aria-label="Colour by"
        className={styles.choice}
        value={props.colourBy}
        options={[
          { value: '', label: 'One colour' },
          ...props.columns.map((name) => ({ value: name, label: `Colour: ${name}` })),
        ]}
        onValueChange={props.onColourBy}
      />
      <span className={styles.gap} />
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
    </div>
  );
}
