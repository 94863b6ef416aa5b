/** Numbers of the system calls that seccomp refuses or restricts. Source: the kernel's tables per architecture. */
interface DeniedCalls {
  /** The kernel's number for this architecture. */
  audit: number;
  always: number[];
  /** Refused unless the first argument is the id of this process. `orZero`: 0 stands for this process too. */
  onOthers: { number: number; orZero: boolean }[];
  /** Refused unless the call starts a thread. */
  threadsOnly: number[];
  /** Answered as if the kernel did not have these calls. */
  unknown: number[];
}

export function deniedCalls(arch: string): DeniedCalls | undefined {
  const column = arch === 'x64' ? 0 : arch === 'arm64' ? 1 : undefined;
  if (column === undefined) return undefined;
  const of = (pair: [number, number]) => pair[column];
  return {
    audit: of([0xc000_003e, 0xc000_00b7]),
    always: [...Object.values(table).map(of), ...sameNumbers].filter((number) => number >= 0),
    onOthers: [
      { number: of([62, 129]), orZero: false }, // kill
      { number: of([234, 131]), orZero: false }, // tgkill
      { number: of([302, 261]), orZero: true }, // prlimit64
    ],
    threadsOnly: [of([56, 220])], // clone
    unknown: [435], // clone3
  };
}

/** The number on x86-64 and on arm64. -1: the architecture does not have this call. */
const table: Record<string, [number, number]> = {
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  tkill: [200, 130],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  execve: [59, 221],
  execveat: [322, 281],
  fork: [57, -1],
  vfork: [58, -1],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  fanotify_init: [300, 262],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, -1],
  ioperm: [173, -1],
  personality: [135, 92],
  setuid: [105, 146],
  setgid: [106, 144],
  setreuid: [113, 145],
  setregid: [114, 143],
  setresuid: [117, 147],
  setresgid: [119, 149],
  setgroups: [116, 159],
  setfsuid: [122, 151],
  setfsgid: [123, 152],
  capset: [126, 91],
  setpgid: [109, 154],
  setsid: [112, 157],
  setpriority: [141, 140],
  ioprio_set: [251, 30],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  semget: [64, 190],
  semop: [65, 193],
  semtimedop: [220, 192],
  semctl: [66, 191],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
};

/**
 * Since number 424, a new call has the same number on both architectures. Refused are pidfd_*, io_uring_setup and
 * _register, the calls that change mounts (428 to 433, 442, 467), process_madvise, quotactl_fd (443) and
 * process_mrelease (448). io_uring_enter stays allowed: libuv may have opened a ring before the filter is set, and
 * aborts when this call is refused.
 */
const sameNumbers = [424, 425, 427, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442, 443, 448, 467];
