import type { Job } from '../../data/jobs/use-jobs.ts';
import styles from './plugin-browser.module.css';

/** The progress of an install. The bar shows the download, since the length of the other steps is not known. */
export function InstallProgressBar({ job }: { job: Job }) {
  const { done, total, words } = job.progress;
  return (
    <div className={styles.progress}>
      <progress value={total ? done / total : 0} max={1} aria-label={job.title} aria-valuetext={words} />
      <span role="status">{words}</span>
    </div>
  );
}
