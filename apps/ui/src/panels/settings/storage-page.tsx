import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../controls/buttons/button.tsx';
import { Facts } from '../../controls/marks/facts.tsx';
import { api } from '../../data/api/api.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useSettings } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { NumberSettingField } from './number-setting.tsx';
import { keptLimits } from './number-settings.ts';
import styles from './settings.module.css';
import { sizeWords, spaceWords } from './space-words.ts';
import { useChangeSettings } from './use-change-settings.ts';

/** The data that Trestle stores automatically, such as the history: the space that it uses, and its limits. */
export function StoragePage() {
  const settings = useSettings();
  const change = useChangeSettings();
  const space = useQuery({
    queryKey: [...queryKeys.space, settings.data],
    queryFn: ({ signal }) => api.app.space.query(undefined, { signal }),
    placeholderData: (before) => before,
    // Some kinds of data grow without an event that would cause a new read.
    refetchInterval: 5_000,
  });
  const clearMaps = useMutation({
    mutationFn: () => api.app.clearMaps.mutate(),
    onSettled: () => space.refetch(),
  });
  const error = settings.error ?? space.error;
  if (!settings.data || !space.data) return error ? <ErrorNote error={error} /> : null;
  return (
    <section className={styles.page} aria-label="Storage">
      <h2>Storage</h2>
      <p>
        Trestle keeps the statements that were run, the activity and the exports of AI clients, the drawn
        vector maps and its own log. A map holds the keys of its rows and the first characters of their
        values. When a kind of data reaches its limit, its oldest entries or least recently used maps are
        removed.
      </p>
      <Facts>
        {spaceWords(space.data, settings.data).map(({ name, words }) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} words`}>{words}</dd>,
        ])}
        <dt>Free on this disk</dt>
        <dd>{sizeWords(space.data.freeBytes)}</dd>
      </Facts>
      <Button
        size="small"
        className={styles.remove}
        disabled={space.data.maps.maps === 0 || clearMaps.isPending}
        onClick={() => clearMaps.mutate()}
      >
        Remove the vector maps
      </Button>
      <h3>Limits</h3>
      <div className={styles.grid}>
        {keptLimits.map((setting) => (
          <NumberSettingField key={setting.key} setting={setting} settings={settings.data} change={change} />
        ))}
      </div>
      {change.error && <ErrorNote error={change.error} />}
      {clearMaps.error && <ErrorNote error={clearMaps.error} />}
    </section>
  );
}
