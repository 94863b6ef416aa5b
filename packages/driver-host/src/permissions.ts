import type { Manifest } from '@trestle/driver-kit';

/**
 * Node's flags for a driver's process. The permission model refuses all that they do not allow: other files, writing,
 * the network, processes, threads, addons, the inspector, WASI, FFI.
 */
export function hostFlags(host: {
  entry: string;
  driverDirectory: string;
  /** Files that the user chose for this connection. */
  chosenFiles: string[];
  /** Folders that the user chose. They and all that they hold may be read, and written where `write` is set. */
  chosenFolders: { path: string; write: boolean }[];
  process: Manifest['process'];
  serial: boolean;
  bundled: boolean;
}): string[] {
  const { network, sqlite } = host.process;
  return [
    '--permission',
    `--allow-fs-read=${host.entry}`,
    `--allow-fs-read=${host.driverDirectory}`,
    ...host.chosenFiles.filter(isPlain).map((file) => `--allow-fs-read=${file}`),
    ...host.chosenFolders
      .filter(({ path }) => isPlain(path))
      .flatMap(({ path, write }) => [
        `--allow-fs-read=${path}`,
        ...(write ? [`--allow-fs-write=${path}`] : []),
      ]),
    // Never --allow-net, which opens every host and every Unix socket: the app dials.
    ...(network ? ['--use-system-ca'] : []),
    // node:sqlite opens and writes any file, whatever the permission model says.
    ...(sqlite && host.bundled ? [] : ['--no-experimental-sqlite']),
    // For the thread of watch-app.ts alone: the right is given up before the driver is imported.
    ...(host.serial ? ['--allow-worker', '--disable-warning=PERM0006'] : []),
    // For the second wall alone: the right is given up before the driver is imported.
    ...(hasSecondWall ? ['--allow-ffi', '--disable-warning=PERM0003'] : ['--no-experimental-ffi']),
    '--disable-sigusr1',
    `--max-old-space-size=${heapMegabytes}`,
    '--disable-warning=ExperimentalWarning',
  ];
}

/** Node takes a star for "all that begins like this". */
function isPlain(path: string): boolean {
  return !path.includes('*');
}

/** Of the app's environment a driver sees only what names the machine's trusted certificates. */
export function hostEnvironment(environment: NodeJS.ProcessEnv, network: boolean): NodeJS.ProcessEnv {
  const names = [...(process.platform === 'win32' ? ['SystemRoot'] : []), ...(network ? trustVariables : [])];
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

const heapMegabytes = 1024;

/** Where the numbers of the kernel's calls are known. Whether the kernel has the walls shows in the process. */
const hasSecondWall = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

/** Node itself reads these files before the permission model applies, so the driver needs no right to them. */
const trustVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
