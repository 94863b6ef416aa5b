import { createContext } from 'react';
import { ConnectionWord } from './connection-word.tsx';
import styles from './current-connection.module.css';

/** The parts of a connection that distinguish it from others on the screen. */
export interface ConnectionSign {
  name: string;
  word: string | null;
  color: string | null;
}

/** The connection around this part of the window; null outside a connection. */
export const CurrentConnection = createContext<ConnectionSign | null>(null);

/** Names the connection in a question, so that the user does not mistake production for a test database. */
export function ConnectionLine({ connection }: { connection: ConnectionSign }) {
  return (
    <p className={styles.line}>
      <span>Connection: {connection.name}</span>
      <ConnectionWord connection={connection} />
    </p>
  );
}
