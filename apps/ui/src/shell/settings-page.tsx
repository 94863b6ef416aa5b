import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IntegrationsPage } from '../integrations/integrations-page.tsx';
import { PluginsPage } from '../plugin-browser/plugins-page.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { isDialogOpen } from '../shared/is-dialog-open.ts';
import { isHandled } from '../shared/is-handled.ts';
import pane from '../shared/pane.module.css';
import { Main } from '../shared/popup-place.tsx';
import { Tabs } from '../shared/tabs.tsx';
import { dialogs, type SettingsPage as Page } from '../shell/open-dialog.ts';
import { AboutPage } from './about-page.tsx';
import { GeneralPage } from './general-page.tsx';
import styles from './settings.module.css';
import { StoragePage } from './storage-page.tsx';

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
