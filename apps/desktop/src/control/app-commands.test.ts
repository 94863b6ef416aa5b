import { expect, onTestFinished, test, vi } from 'vitest';
import { appCommands } from './app-commands.ts';

test('a second launch opens the window on its own screen, not on the screen of the first', async () => {
  vi.stubEnv('WAYLAND_DISPLAY', 'wayland-0');
  vi.stubEnv('XAUTHORITY', '/app');
  vi.stubEnv('HOME', '/home/a');
  onTestFinished(() => void vi.unstubAllEnvs());
  const showWindow = vi.fn(async (_: NodeJS.ProcessEnv) => 'window' as const);
  const handle = appCommands({ showWindow, printEntry: () => ({}) } as never);
  await handle('open', { DISPLAY: ':10' }, { signal: AbortSignal.abort(), passphrase: null });
  const { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, HOME } = showWindow.mock.calls[0]![0];
  expect({ DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, HOME }).toEqual({ DISPLAY: ':10', HOME: '/home/a' });
});
