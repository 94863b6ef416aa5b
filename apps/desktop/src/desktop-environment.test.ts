import { expect, test } from 'vitest';
import { type DesktopSystem, hasDisplay, recoverDesktopEnvironment } from './desktop-environment.ts';

const shown = `DISPLAY=:0
XAUTHORITY=/run/user/1000/.mutter-Xwaylandauth.X1
WAYLAND_DISPLAY=wayland-0
XDG_CURRENT_DESKTOP=$'GNOME \\'46\\''
SECRET=not ours to take
DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus,guid=1`;

function system(paths: string[], environment = shown): DesktopSystem {
  return {
    platform: 'linux',
    uid: 1000,
    exists: (path) => paths.includes(path),
    showEnvironment: async () => environment,
  };
}

const desktop = system(['/run/user/1000', '/run/user/1000/bus']);

test('a process with only HOME and PATH finds the screen and the bus of the login', async () => {
  expect(await recoverDesktopEnvironment({ HOME: '/home/a', PATH: '/bin' }, desktop)).toEqual({
    XDG_RUNTIME_DIR: '/run/user/1000',
    DISPLAY: ':0',
    WAYLAND_DISPLAY: 'wayland-0',
    XAUTHORITY: '/run/user/1000/.mutter-Xwaylandauth.X1',
    XDG_CURRENT_DESKTOP: "GNOME '46'",
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus,guid=1',
  });
});

test('existing variables stay unchanged', async () => {
  const env = { DISPLAY: ':7', XDG_RUNTIME_DIR: '/run/user/1000', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' };
  expect(await recoverDesktopEnvironment(env, desktop)).toEqual({});
});

test('over SSH the bus of the login is used, but not its screen', async () => {
  expect(await recoverDesktopEnvironment({ SSH_CONNECTION: '1 2 3 4' }, desktop)).toEqual({
    XDG_RUNTIME_DIR: '/run/user/1000',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  });
});

test('without a login nothing is found, and a login without a screen has no display variables', async () => {
  expect(await recoverDesktopEnvironment({}, system([]))).toEqual({});
  const noGraphics = system(['/run/user/1000', '/run/user/1000/bus'], 'LANG=C');
  expect(await recoverDesktopEnvironment({}, noGraphics)).toEqual({
    XDG_RUNTIME_DIR: '/run/user/1000',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  });
});

test('Linux has a display if a variable names one; macOS always has one', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});

test('an empty XDG_RUNTIME_DIR counts as missing', async () => {
  expect(await recoverDesktopEnvironment({ XDG_RUNTIME_DIR: '' }, desktop)).toMatchObject({
    XDG_RUNTIME_DIR: '/run/user/1000',
    DISPLAY: ':0',
  });
});
