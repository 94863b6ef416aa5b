import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../controls/buttons/icon-button.tsx';
import { Tabs } from '../controls/buttons/tabs.tsx';
import { isDialogOpen } from '../controls/dialogs/is-dialog-open.ts';
import { isHandled } from '../controls/keys/is-handled.ts';
import pane from '../controls/layout/pane.module.css';
import { Main } from '../controls/popups/popup-place.tsx';
import { dialogs, type SettingsPage as Page } from '../data/window/open-dialog.ts';
import { IntegrationsPage } from '../panels/integrations/integrations-page.tsx';
import { PluginsPage } from '../panels/plugin-browser/plugins-page.tsx';
import { AboutPage } from '../panels/settings/about-page.tsx';
import { GeneralPage } from '../panels/settings/general-page.tsx';
import styles from '../panels/settings/settings.module.css';
import { StoragePage } from '../panels/settings/storage-page.tsx';

export default function SettingsPage({ page }: { page: Page }) {
  const content = useFocusWhileOpen();
  useEscape();
  return (
    <Main className={pane.page}>
      <div ref={content} className={styles.content}>
        <header className={styles.header}>
          <h1>Settings</h1>
          <IconButton label="Close Settings" shortcut="Escape" onClick={dialogs.closeSettings}>
            <X size={16} aria-hidden />
          </IconButton>
        </header>
        <Tabs
          label="Settings"
          orientation="vertical"
          value={page}
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
    </Main>
  );
}

/**
 * The focus starts on the tab of the chosen page. When Settings closes and no element has the focus, the element that
 * had it before Settings opened gets it back.
 */
function useFocusWhileOpen() {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    // Waits one frame, because the tabs ignore arrow keys until then.
    const frame = requestAnimationFrame(() => {
      content.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
    });
    return () => {
      cancelAnimationFrame(frame);
      // If the user pressed a button outside Settings, that button keeps the focus.
      if (document.activeElement !== document.body) return;
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return content;
}

function useEscape(): void {
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isHandled(event) && !isDialogOpen()) dialogs.closeSettings();
    };
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, []);
}
