import type { InstallProgress } from '../../data/api/api-types.ts';
import styles from './plugin-browser.module.css';
import { progressText } from './plugin-words.ts';

/** The progress of an install. The bar shows the download, since the length of the other steps is not known. */
export function InstallProgressBar({ progress }: { progress: InstallProgress }) {
  const text = progressText(progress);
  const part = progress.step === 'wait' ? 0 : progress.received / progress.size;
  return (
    <div className={styles.progress}>
      <progress value={part} max={1} aria-label={`Installing ${progress.name}`} aria-valuetext={text} />
      <span role="status">{text}</span>
    </div>
  );
}
