import { Slider } from '@base-ui/react/slider';
import { useMemo } from 'react';
import { nearestDistances } from './findings.ts';
import styles from './neighbours.module.css';
import type { Scan } from './scan.ts';

const steps = 60;

/** A histogram of the distances to the nearest row, with a threshold to drag along it. */
export function ThresholdStrip(props: {
  scan: Scan;
  threshold: number;
  pairs: number;
  onThreshold(threshold: number): void;
}) {
  const { scan, threshold } = props;
  const size = scan.near.size;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scan grows in place, so its size shows a change
  const { least, most, counts } = useMemo(() => nearestDistances(scan, steps), [scan, size]);
  const highest = Math.max(1, ...counts);
  const from = Math.min(least, threshold);
  const end = Math.max(most, threshold, from + 0.01);
  const step = 10 ** Math.floor(Math.log10((end - from) / 100));
  const start = Math.floor(from / step) * step;
  const place = (distance: number) => `${((distance - start) / (end - start)) * 100}%`;
  const stepStart = (at: number) => least + (at / steps) * (most - least);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const set = (next: number) => props.onThreshold(Number(next.toFixed(digits)));
  return (
    <div className={styles.strip}>
      <p className={styles.words}>
        <b>{props.pairs.toLocaleString('en')}</b> {props.pairs === 1 ? 'pair' : 'pairs'} at most{' '}
        <input
          className={styles.number}
          type="number"
          aria-label="Threshold"
          min={least < 0 ? undefined : 0}
          step={step}
          value={threshold}
          onChange={(event) => {
            const { value, valueAsNumber } = event.currentTarget;
            if (value !== '' && (valueAsNumber >= 0 || least < 0)) props.onThreshold(valueAsNumber);
          }}
        />{' '}
        apart
      </p>
      <div className={styles.histogram} aria-hidden>
        {counts.map((count, at) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its position
            key={at}
            data-within={stepStart(at) <= threshold || undefined}
            style={{
              left: place(stepStart(at)),
              width: place(start + (most - least) / steps),
              height: count === 0 ? 0 : `${Math.max(6, Math.sqrt(count / highest) * 100)}%`,
            }}
          />
        ))}
      </div>
      <Slider.Root value={Math.min(threshold, end)} min={start} max={end} step={step} onValueChange={set}>
        <Slider.Control className={styles.control}>
          <Slider.Track className={styles.track}>
            <Slider.Indicator className={styles.indicator} />
            <Slider.Thumb className={styles.thumb} aria-label="Largest distance of a pair" />
          </Slider.Track>
        </Slider.Control>
      </Slider.Root>
      <p className={styles.scale} aria-hidden>
        <span>{start === 0 ? 0 : start.toPrecision(2)}</span>
        <span>distance of a row to the nearest row</span>
        <span>{end.toPrecision(2)}</span>
      </p>
    </div>
  );
}
