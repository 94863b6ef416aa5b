import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../controls/marks/facts.tsx';
import { api } from '../../data/api/api.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { queryKeys } from '../../data/queries/query-keys.ts';
import styles from './settings.module.css';

export function AboutPage() {
  const info = useQuery({
    queryKey: queryKeys.appInfo,
    queryFn: ({ signal }) => api.app.info.query(undefined, { signal }),
  });
  if (!info.data) return info.error ? <ErrorNote error={info.error} /> : null;
  const { version, dataDirectory, secrets } = info.data;
  return (
    <section className={styles.page} aria-label="About">
      <h2>About Trestle</h2>
      <Facts>
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Data directory</dt>
        <dd className={styles.mono}>{dataDirectory}</dd>
        <dt>Secrets</dt>
        <dd>
          {secrets.store === 'keychain'
            ? 'In the keychain of this system'
            : 'In an encrypted file in the data directory'}
        </dd>
      </Facts>
      {secrets.store === 'file' && (
        <Note level="warning">
          <p>
            Secrets are not in the keychain{secrets.reason ? `: ${secrets.reason.replace(/\.?$/, '.')}` : '.'}
          </p>
          <p>Anyone who can read your data directory can read them.</p>
        </Note>
      )}
    </section>
  );
}
