/** A task, as the shortest sequence of calls that a model can work out from what it has read. */
export interface Task {
  /** In the words of a person. */
  question: string;
  trestle: Call[];
  /** The same with DBHub's tools. Only the tasks on the SQLite sample have this. */
  dbhub?: Call[];
}

export interface Call {
  tool: string;
  /** A function receives the answers that this task has had so far. */
  args: object | ((answers: string[]) => object);
  /** Facts that the answer must contain. If the task asks for a fact, give that fact to its last call. */
  says?: RegExp[];
  /** The call must be refused with these words. */
  refused?: RegExp;
  /**
   * The benchmark's own check that a change was made, or that a refused one was not. No model makes this
   * call, so it costs nothing.
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
