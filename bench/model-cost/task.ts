/** A question or chore, as the shortest sequence of calls that a model can know to make from what it was told. */
export interface Task {
  /** As a person would say it. */
  question: string;
  trestle: Call[];
  /** The same with DBHub's tools. Only the tasks on the SQLite sample have it. */
  dbhub?: Call[];
}

export interface Call {
  tool: string;
  /** A function gets the answers of this task so far. */
  args: object | ((answers: string[]) => object);
  /** The facts that the answer must hold. The last call of a task has the fact that was asked for. */
  says?: RegExp[];
  /** The call must be refused, and in these words. */
  refused?: RegExp;
  /** The bench looks whether the chore was done, or the refused one was not. No model makes it: it costs nothing. */
  isCheck?: true;
}

/** Tokens (cl100k) that a task put into the model's context, and tokens that the model wrote. */
export interface Cost {
  trips: number;
  read: number;
  written: number;
}

/** One conversation: what a model is told at its start, then the tasks in their order. */
export interface Half {
  catalogue: number;
  tasks: (Cost & { question: string })[];
}

export function totalOf({ catalogue, tasks }: Half): number {
  return tasks.reduce((sum, { read, written }) => sum + read + written, catalogue);
}
