import { classNames } from '../styles/class-names.ts';
import { connectionTint } from './connection-color.ts';
import styles from './connection-word.module.css';

/**
 * The short word of a connection, in the connection's colour. The word tells connections apart without the colour.
 * Draws nothing for a connection without a word.
 */
export function ConnectionWord(props: {
  connection: { word: string | null; color: string | null } | undefined;
  /** Gives the word a plain background, for a place that already has the connection's tint. */
  onWash?: boolean;
  className?: string;
}) {
  const { connection } = props;
  if (!connection?.word) return null;
  return (
    <span
      className={classNames(styles.word, props.onWash && styles.onWash, props.className)}
      style={connectionTint(connection.color)}
    >
      {connection.word}
    </span>
  );
}
