/** A task, as the shortest sequence of calls that a model can work out from what it has read. */
export interface Task {
  /** In the words of a user. */
  question: string;
  trestle: Call[];
  /** The calls of the same task with DBHub's tools. Only the tasks on the SQLite sample have these calls. */
  dbhub?: Call[];
}

export interface Call {
  tool: string;
  /** A function receives the earlier answers of this task, except those of checks. */
  args: object | ((answers: string[]) => object);
  /** Facts that the answer must contain. If the task asks for a fact, the task's last call must have that fact. */
  says?: RegExp[];
  /** The call must be refused with these words. */
  refused?: RegExp;
  /**
   * The benchmark's own check that a change was made, or that a refused change was not made. No model makes this
   * call, so its tokens do not count.
   */
  isCheck?: true;
}

/** The round trips of a task, and the tokens (cl100k) that the model reads and writes. */
export interface Cost {
  trips: number;
  read: number;
  written: number;
}

/** One conversation: the tokens of the text at its start, then the tasks in order. */
export interface Half {
  catalogue: number;
  tasks: (Cost & { question: string })[];
}

export function totalOf({ catalogue, tasks }: Half): number {
  return tasks.reduce((sum, { read, written }) => sum + read + written, catalogue);
}
