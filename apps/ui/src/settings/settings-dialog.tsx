import { IntegrationsPage } from '../integrations/integrations-page.tsx';
import { PluginsPage } from '../plugin-browser/plugins-page.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { Tabs } from '../shared/tabs.tsx';
import { dialogs, useDialogs } from '../shell/open-dialog.ts';
import { AboutPage } from './about-page.tsx';
import { GeneralPage } from './general-page.tsx';
import styles from './settings.module.css';
import { StoragePage } from './storage-page.tsx';

export default function SettingsDialog() {
  const page = useDialogs((state) => state.settings);
  return (
    <Dialog open={page !== null} title="Settings" width="wide" onClose={dialogs.closeSettings}>
      <div className={styles.frame}>
        <Tabs
          label="Settings"
          orientation="vertical"
          value={page ?? 'general'}
          onValueChange={dialogs.showSettings}
          pages={[
            { id: 'general', label: 'General', content: <GeneralPage /> },
            { id: 'integrations', label: 'Integrations', content: <IntegrationsPage /> },
            { id: 'plugins', label: 'Plugins', content: <PluginsPage /> },
            { id: 'storage', label: 'Storage', content: <StoragePage /> },
            { id: 'about', label: 'About', content: <AboutPage /> },
          ]}
        />
      </div>
    </Dialog>
  );
}
