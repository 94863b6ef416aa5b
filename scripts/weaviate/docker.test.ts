import { expect, test } from 'vitest';
import { type DockerInfo, judgeEngine, type ThisMachine } from './docker.ts';

const linux: DockerInfo = { OSType: 'linux', OperatingSystem: 'Fedora Linux 44', Name: 'desk' };
const here: ThisMachine = { endpoint: 'unix:///var/run/docker.sock', platform: 'linux', hostName: 'desk' };
const virtual = {
  engine: { network: 'published', loopbackName: 'host.docker.internal', isVirtual: true },
};

test('an engine on this Linux machine runs containers on the network of the machine', () => {
  expect(judgeEngine(linux, here)).toEqual({
    engine: { network: 'host', loopbackName: '127.0.0.1', isVirtual: false },
  });
});

test("a rootless engine has a separate network, without a name for this machine's loopback", () => {
  const SecurityOptions = ['name=seccomp,profile=builtin', 'name=rootless', 'name=cgroupns'];
  expect(judgeEngine({ ...linux, SecurityOptions }, here)).toEqual({
    engine: { network: 'published', loopbackName: null, isVirtual: false },
  });
});

test.each(['darwin', 'win32'] as const)('an engine on %s is in a virtual machine', (platform) => {
  const machine = { ...here, platform, endpoint: 'npipe:////./pipe/dockerDesktopLinuxEngine' };
  expect(judgeEngine({ ...linux, Name: 'docker-desktop' }, machine)).toEqual(virtual);
});

test('Docker Desktop on Linux is in a virtual machine too', () => {
  const info = { ...linux, OperatingSystem: 'Docker Desktop', Name: 'docker-desktop' };
  expect(judgeEngine(info, here)).toEqual(virtual);
});

test.each([
  { endpoint: 'ssh://me@far', unusable: "Docker's engine is reached over the network (ssh://me@far)" },
  {
    endpoint: 'tcp://10.0.0.7:2376',
    unusable: "Docker's engine is reached over the network (tcp://10.0.0.7:2376)",
  },
])("an engine at $endpoint cannot serve on this machine's loopback", ({ endpoint, unusable }) => {
  expect(judgeEngine(linux, { ...here, endpoint })).toEqual({ unusable });
});

test("an engine with another host name cannot serve on this machine's loopback", () => {
  expect(judgeEngine(linux, { ...here, hostName: '3f2a9c' })).toEqual({
    unusable: "Docker's engine is outside of this machine or container (in desk)",
  });
});

test('an engine for Windows containers, and a program called docker that is not Docker, cannot be used', () => {
  const unusable = 'Docker runs no Linux containers here';
  expect(judgeEngine({ ...linux, OSType: 'windows' }, { ...here, platform: 'win32' })).toEqual({ unusable });
  expect(judgeEngine({}, here)).toEqual({ unusable });
});
