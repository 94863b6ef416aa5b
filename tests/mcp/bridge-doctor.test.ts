import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { handshakePath, writeHandshake } from '@trestle/handshake';
import { expect, test } from 'vitest';
import { fakeHandshake, temporaryHome } from './bridge-fixtures.ts';
import { createUserHome, startApp, trestle, trestleMcp } from './bridge-home.ts';
import { bridgeFile, runServer } from './running-server.ts';

interface Check {
  name: string;
  ok: boolean | null;
  detail: string;
}

function examine(home: string): Promise<{ code: number; ok: boolean; checks: Check[] }> {
  return new Promise((resolve) => {
    const env = { TRESTLE_HOME: home, PATH: process.env.PATH };
    execFile(process.execPath, [bridgeFile, '--doctor', '--json'], { env }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), ...JSON.parse(stdout) }),
    );
  });
}

const verdicts = (checks: Check[]) => Object.fromEntries(checks.map(({ name, ok }) => [name, ok]));
const detail = (checks: Check[], name: string) => checks.find((check) => check.name === name)?.detail;

test('every check of the bridge passes while the MCP server runs', async () => {
  const running = await runServer();
  try {
    const { code, ok, checks } = await examine(running.home);
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(checks.map((check) => [check.name, check.ok])).toEqual(
      ['handshake', 'trust', 'version', 'port', 'token', 'connections'].map((name) => [name, true]),
    );
    expect(detail(checks, 'handshake')).toMatch(/; the MCP server started 0 min ago$/);
    expect(detail(checks, 'connections')).toBe('3 visible: Open, Read only, Asks');
  } finally {
    await running.close();
  }
});

test('if the app does not run or a check fails, the next check has no verdict', async () => {
  const nothing = await examine(temporaryHome());
  expect(nothing).toMatchObject({ code: 0, ok: true });
  expect(verdicts(nothing.checks)).toMatchObject({ handshake: null, trust: null, port: null });
  expect(detail(nothing.checks, 'handshake')).toMatch(/not running\. The first call of a client starts it\./);

  const exposed = temporaryHome();
  writeHandshake(exposed, fakeHandshake);
  chmodSync(handshakePath(exposed), 0o644);
  const open = await examine(exposed);
  expect(verdicts(open.checks)).toMatchObject({ handshake: true, trust: false, version: null });
  expect(detail(open.checks, 'trust')).toMatch(/open to other users.*Quit Trestle, delete/);

  const old = temporaryHome();
  writeHandshake(old, { ...fakeHandshake, protocolVersions: ['2025-06-18'] });
  expect(verdicts((await examine(old)).checks)).toMatchObject({ trust: true, version: false, port: null });

  const running = await runServer();
  try {
    const impostor = temporaryHome();
    writeHandshake(impostor, { ...fakeHandshake, port: running.server.port });
    const { checks } = await examine(impostor);
    expect(verdicts(checks)).toMatchObject({ version: true, port: false, token: null });
    expect(detail(checks, 'port')).toMatch(/did not prove/);
  } finally {
    await running.close();
  }
});

test('`trestle doctor` and `trestle-mcp --doctor` report a state without problems, and exit with 0', async () => {
  const home = createUserHome();
  const say = (command: string, ...args: string[]) =>
    new Promise<{ code: number; stdout: string }>((resolve) => {
      execFile(command, args, { env: home.env, cwd: '/' }, (error, stdout) =>
        resolve({ code: Number(error?.code ?? 0), stdout }),
      );
    });
  try {
    const before = await say(trestle, 'doctor');
    expect(before.code).toBe(0);
    expect(before.stdout).toMatch(/^– +data directory .* does not exist yet/);
    expect(before.stdout).toMatch(/^– +app +not running\. The first call of an AI client starts it/m);
    expect(before.stdout).toMatch(/Trestle is stopped: the first call of a client starts it\.\n$/);
    await startApp(home);
    const after = await say(trestle, 'doctor');
    expect(after).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nAll is well\.\n$/) });
    for (const name of ['data directory', 'app', 'window port', 'MCP port', 'secrets', 'drivers', 'token']) {
      expect(after.stdout).toMatch(new RegExp(`^ok +${name} `, 'm'));
    }
    expect(after.stdout).toMatch(/^(ok|–) +driver walls +each driver runs in its own process/m);
    expect(await say(trestleMcp, '--doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok +handshake .*\nok +trust .*\n[\s\S]*Clients can reach Trestle\.\n$/),
    });
  } finally {
    await home.close();
  }
});
