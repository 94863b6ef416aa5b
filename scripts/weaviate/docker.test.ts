import { expect, test } from 'vitest';
import { type DockerInfo, judgeEngine, type ThisMachine } from './docker.ts';

const linux: DockerInfo = { OSType: 'linux', OperatingSystem: 'Fedora Linux 44', Name: 'desk' };
const here: ThisMachine = { endpoint: 'unix:///var/run/docker.sock', platform: 'linux', hostName: 'desk' };
const virtual = {
  engine: { network: 'published', loopbackName: 'host.docker.internal', isVirtual: true },
};

test('an engine on this Linux machine runs containers on its network', () => {
  expect(judgeEngine(linux, here)).toEqual({
    engine: { network: 'host', loopbackName: '127.0.0.1', isVirtual: false },
  });
});

test('a rootless engine has a separate network, without a name for our loopback', () => {
  const SecurityOptions = ['name=seccomp,profile=builtin', 'name=rootless', 'name=cgroupns'];
  expect(judgeEngine({ ...linux, SecurityOptions }, here)).toEqual({
    engine: { network: 'published', loopbackName: null, isVirtual: false },
  });
});

test.each(['darwin', 'win32'] as const)('an engine on %s is in a virtual machine', (platform) => {
  const machine = { ...here, platform, endpoint: 'npipe:////./pipe/dockerDesktopLinuxEngine' };
  expect(judgeEngine({ ...linux, Name: 'docker-desktop' }, machine)).toEqual(virtual);
});

test('so is Docker Desktop on Linux', () => {
  const info = { ...linux, OperatingSystem: 'Docker Desktop', Name: 'docker-desktop' };
  expect(judgeEngine(info, here)).toEqual(virtual);
});

test.each([
  { endpoint: 'ssh://me@far', unusable: "Docker's engine is reached over the network (ssh://me@far)" },
  {
    endpoint: 'tcp://10.0.0.7:2376',
    unusable: "Docker's engine is reached over the network (tcp://10.0.0.7:2376)",
  },
])('an engine at $endpoint cannot serve on our loopback', ({ endpoint, unusable }) => {
  expect(judgeEngine(linux, { ...here, endpoint })).toEqual({ unusable });
});

test('nor can one whose socket was lent to the container that we are in', () => {
  expect(judgeEngine(linux, { ...here, hostName: '3f2a9c' })).toEqual({
    unusable: "Docker's engine is outside of this machine or container (in desk)",
  });
});

test('nor one for Windows containers, nor another program called docker', () => {
  const unusable = 'Docker runs no Linux containers here';
  expect(judgeEngine({ ...linux, OSType: 'windows' }, { ...here, platform: 'win32' })).toEqual({ unusable });
  expect(judgeEngine({}, here)).toEqual({ unusable });
});
