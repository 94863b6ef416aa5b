import type { Manifest } from '@trestle/driver-kit';

/**
 * Node's flags for a driver's process. The permission model refuses access to files, the network, processes,
 * threads, addons, the inspector, WASI and FFI, unless a flag allows the access.
 */
export function hostFlags(host: {
  entry: string;
  driverDirectory: string;
  /** The files that the user chose for this connection. */
  chosenFiles: string[];
  /** The folders that the user chose. Their contents may be read, and written if `write` is set. */
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
    // Never --allow-net: it allows every host and every Unix socket. The app dials instead.
    ...(network ? ['--use-system-ca'] : []),
    // The permission model does not keep node:sqlite from opening and writing files.
    ...(sqlite && host.bundled ? [] : ['--no-experimental-sqlite']),
    // Only for the thread of watch-app.ts, which ends the process when the app is gone. The right is dropped before the
    // driver is imported.
    ...(host.serial || !hasSecondWall ? ['--allow-worker', '--disable-warning=PERM0006'] : []),
    // Only for the second wall. The right is dropped before the driver is imported.
    ...(hasSecondWall ? ['--allow-ffi', '--disable-warning=PERM0003'] : ['--no-experimental-ffi']),
    '--disable-sigusr1',
    `--max-old-space-size=${heapMegabytes}`,
    '--max-semi-space-size=2',
    '--disable-warning=ExperimentalWarning',
  ];
}

/** A path with a star gets no right: Node would read it as "every path with this prefix". */
function isPlain(path: string): boolean {
  return !path.includes('*');
}

/** Returns SystemRoot on Windows, and the variables for trusted certificates if the driver has a network. No others. */
export function hostEnvironment(environment: NodeJS.ProcessEnv, network: boolean): NodeJS.ProcessEnv {
  const names = [...(process.platform === 'win32' ? ['SystemRoot'] : []), ...(network ? trustVariables : [])];
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

const heapMegabytes = 1024;

/**
 * True if the system call numbers of this machine are known. The process itself reports whether its kernel has seccomp
 * and Landlock.
 */
const hasSecondWall = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

/**
 * Node's native code reads the files that these variables name. The permission model does not check native code, so the
 * driver needs no right to the files.
 */
const trustVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
