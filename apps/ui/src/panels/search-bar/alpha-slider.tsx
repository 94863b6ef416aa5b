import { Slider } from '@base-ui/react/slider';
import styles from './search-bar.module.css';

/** The weight of the vector in a hybrid search: 0 is words alone, 1 is the vector alone. */
export function AlphaSlider(props: {
  value: number;
  onValueChange(value: number): void;
  /** Called when the user has released the thumb or pressed a key. */
  onValueCommitted(value: number): void;
}) {
  return (
    <Slider.Root
      className={styles.alpha}
      value={props.value}
      min={0}
      max={1}
      step={0.05}
      onValueChange={(value) => props.onValueChange(twoDigits(value))}
      onValueCommitted={(value) => props.onValueCommitted(twoDigits(value))}
    >
      <Slider.Control className={styles.control}>
        <Slider.Track className={styles.track}>
          <Slider.Indicator className={styles.indicator} />
          <Slider.Thumb
            className={styles.thumb}
            aria-label="Weight of the vector"
            getAriaValueText={(_, value) => `${Math.round(value * 100)}% vector`}
          />
        </Slider.Track>
      </Slider.Control>
      <span className={styles.weight} aria-hidden>
        α {props.value.toFixed(2)}
      </span>
    </Slider.Root>
  );
}

function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
