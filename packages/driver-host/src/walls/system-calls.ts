import type * as Ffi from 'node:ffi';

/** Calls the kernel for functions that Node does not have. */
export interface SystemCalls {
  /** The result, or the error as a negative number, as the kernel returns it. */
  call(name: CallName, ...args: (number | Uint8Array)[]): number;
  /** The address of the bytes. They must stay referenced while the kernel reads them. */
  addressOf(bytes: Uint8Array): bigint;
  close(): void;
}

/** Undefined if Node has no FFI, or if the system call numbers of this architecture are unknown. */
export function openSystemCalls(): SystemCalls | undefined {
  const numbers = callNumbers(process.arch);
  const ffi = process.getBuiltinModule('node:ffi') as typeof Ffi | undefined;
  if (!numbers || !ffi) return undefined;
  const { lib, functions } = ffi.dlopen(null, {
    syscall: { arguments: Array.from({ length: 7 }, () => 'int64' as const), return: 'int64' },
    __errno_location: { arguments: [], return: 'pointer' },
  });
  const syscall = functions.syscall as (...args: bigint[]) => bigint;
  const errno = functions.__errno_location as () => bigint;
  const addressOf = (bytes: Uint8Array) => ffi.getRawPointer(bytes as Buffer);
  return {
    call(name, ...args) {
      const values = args.map((one) => (typeof one === 'number' ? BigInt(one) : addressOf(one)));
      while (values.length < 6) values.push(0n);
      const result = Number(syscall(BigInt(numbers[name]), ...values));
      return result === -1 ? -ffi.getInt32(errno(), 0) : result;
    },
    addressOf,
    close: () => lib.close(),
  };
}

type CallName =
  | 'openat'
  | 'close'
  | 'prctl'
  | 'seccomp'
  | 'landlockCreateRuleset'
  | 'landlockAddRule'
  | 'landlockRestrictSelf';

function callNumbers(arch: string): Record<CallName, number> | undefined {
  const landlock = { landlockCreateRuleset: 444, landlockAddRule: 445, landlockRestrictSelf: 446 };
  if (arch === 'x64') return { openat: 257, close: 3, prctl: 157, seccomp: 317, ...landlock };
  if (arch === 'arm64') return { openat: 56, close: 57, prctl: 167, seccomp: 277, ...landlock };
  return undefined;
}
