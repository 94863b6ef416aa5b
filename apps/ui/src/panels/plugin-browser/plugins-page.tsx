import { ErrorNote } from '../../data/messages/error-note.tsx';
import settingsStyles from '../settings/settings.module.css';
import styles from './plugin-browser.module.css';
import { BrowseRow, InstalledRow } from './plugin-rows.tsx';
import { RegistrySection } from './registry-section.tsx';
import { useInstalledDrivers, useListedDrivers, useRegistry } from './use-plugins.ts';

/** The plugin browser: installed drivers, drivers in the registry, and the registry itself. */
export function PluginsPage() {
  const installed = useInstalledDrivers();
  const listed = useListedDrivers();
  const isUnconfirmed = useRegistry().data?.unconfirmed != null;
  const others = listed.data?.filter((driver) => driver.installed === null) ?? [];
  return (
    <section className={settingsStyles.page} aria-label="Plugins">
      <h2>Installed</h2>
      {installed.error && <ErrorNote error={installed.error} />}
      <ul className={styles.list}>
        {installed.data?.map((driver) => (
          <InstalledRow
            key={driver.manifest.id}
            driver={driver}
            listed={listed.data?.find(({ manifest }) => manifest.id === driver.manifest.id)}
          />
        ))}
      </ul>
      <h2>Browse</h2>
      {listed.error && <ErrorNote error={listed.error} />}
      {listed.data && others.length === 0 && (
        <p className={styles.none}>
          {listed.data.length > 0
            ? 'Every driver of the registry is installed.'
            : isUnconfirmed
              ? 'The drivers of the registry appear here when you trust its key.'
              : 'There is no driver to install from the registry.'}
        </p>
      )}
      <ul className={styles.list}>
        {others.map((driver) => (
          <BrowseRow key={driver.manifest.id} driver={driver} />
        ))}
      </ul>
      <h2>Registry</h2>
      <RegistrySection />
    </section>
  );
}
