// These styles come first: the styles of the components must override them.
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import './controls/styles/tokens.css';
import './controls/styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { enterByAddress } from './data/api/window-key.ts';
import { followEvents, reconnectNow } from './data/events/events.ts';
import { reloadForNewBuild } from './data/events/new-build.ts';
import { queryClient, readFirst } from './data/queries/queries.ts';

// Use the theme of the desktop until the settings load. Otherwise the page would flash light on a dark desktop.
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches
  ? 'dark'
  : 'light';

window.addEventListener('vite:preloadError', reloadForNewBuild);

// If the user opens a link of Trestle in the address bar of this page, only the part after # changes. The browser does
// not load the page again.
window.addEventListener('hashchange', () => void enterByAddress().then(reconnectNow));
// The grid measures its text, and must not measure it in a fallback font.
const fonts = ['"Inter Variable"', '"JetBrains Mono Variable"'].map((name) =>
  document.fonts.load(`12px ${name}`),
);
await Promise.all([enterByAddress(), Promise.allSettled(fonts)]);
followEvents();
readFirst();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
