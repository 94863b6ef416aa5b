import { useEffect } from 'react';
import { useSettings } from '../queries/queries.ts';

/** Sets `<html data-theme>` from the theme setting. `system` follows the desktop's theme. */
export function useTheme(): void {
  const theme = useSettings().data?.theme ?? 'system';
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const shown = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
      document.documentElement.dataset.theme = shown;
    };
    apply();
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, [theme]);
}
