import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import styles from './import.module.css';

/** The user chooses a file in the browser's dialog, or drops it here. */
export function ChooseFile({ onChoose }: { onChoose(file: File): void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: without a pointer, the button inside does the same
    <div
      className={classNames(styles.drop, isOver && styles.over)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        const [file] = event.dataTransfer.files;
        if (file) onChoose(file);
      }}
    >
      <FileUp size={28} strokeWidth={1.5} aria-hidden />
      <p>Drop a file here, or choose one.</p>
      <Button onClick={() => input.current?.click()}>Choose file…</Button>
      <p className={styles.muted}>CSV or TSV with a header, JSON lines, or a JSON array of objects.</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to import"
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onChoose(file);
          event.target.value = '';
        }}
      />
    </div>
  );
}
