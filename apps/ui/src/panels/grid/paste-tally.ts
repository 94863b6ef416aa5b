import { counted } from '../../controls/text/counted.ts';
import { nullRefusal } from './fit-pasted.ts';

/** Counts the results of a paste, for one message. */
export class PasteTally {
  /** Staged cells, including those that do not fit. */
  staged = 0;
  newRows = 0;
  /** Pasted columns without a target: the grid has too few columns, or the paste's header has too few names. */
  columnsBeyond = 0;
  /** Pasted names that match no visible column. */
  unknownColumns: string[] = [];
  #refused = new Map<string, Counted>();
  #unfit = new Map<string, Counted>();
  #rows: { count: number; reason: string } | null = null;

  cellRefused(column: string, reason: string): void {
    add(this.#refused, column, reason);
  }

  doesNotFit(column: string, reason: string): void {
    add(this.#unfit, column, reason);
  }

  rowRefused(reason: string): void {
    this.#rows = { count: (this.#rows?.count ?? 0) + 1, reason };
  }

  get unfit(): number {
    return sum(this.#unfit);
  }

  /** Whether any value was not accepted or does not fit. */
  get hasTrouble(): boolean {
    return (
      this.#unfit.size + this.#refused.size + this.columnsBeyond + this.unknownColumns.length > 0 ||
      this.#rows !== null
    );
  }

  title(): string {
    const rows = this.newRows > 0 ? `, ${counted(this.newRows, 'new row')} at the top` : '';
    if (this.staged > 0 || this.newRows > 0) return `Pasted ${counted(this.staged, 'cell')}${rows}`;
    return this.hasTrouble ? 'Nothing was pasted' : 'The cells already have these values';
  }

  /** One text for each kind of trouble. */
  details(): string[] {
    const said: string[] = [];
    if (this.unfit > 0) {
      said.push(
        `${counted(this.unfit, 'cell does', 'cells do')} not fit. Fix ${this.unfit === 1 ? 'it' : 'them'} before you save: ${list(this.#unfit)}.`,
      );
    }
    if (this.#refused.size > 0) {
      said.push(
        `${counted(sum(this.#refused), 'cell was', 'cells were')} not changed: ${list(this.#refused)}.`,
      );
    }
    if (this.#rows) {
      said.push(
        `${counted(this.#rows.count, 'row beyond the last one was', 'rows beyond the last one were')} left out: ${this.#rows.reason}.`,
      );
    }
    if (this.columnsBeyond > 0) {
      said.push(
        `${counted(this.columnsBeyond, 'column to the right of the last one was', 'columns to the right of the last one were')} left out.`,
      );
    }
    if (this.unknownColumns.length > 0) {
      const names = this.unknownColumns.slice(0, 3).join(', ');
      const more = this.unknownColumns.length > 3 ? ', …' : '';
      const count = this.unknownColumns.length;
      const left =
        count === 1 ? '1 column was left out, since it is' : `${count} columns were left out, since they are`;
      said.push(`${left} not shown here: ${names}${more}.`);
    }
    return said;
  }
}

type Counted = { count: number; reason: string };

function add(to: Map<string, Counted>, column: string, reason: string): void {
  const known = to.get(column);
  if (known) known.count++;
  else to.set(column, { count: 1, reason });
}

function sum(counts: Map<string, Counted>): number {
  return [...counts.values()].reduce((total, { count }) => total + count, 0);
}

/** The first two columns, each with its first reason, and the number of other columns. */
function list(counts: Map<string, Counted>): string {
  const shown = [...counts].slice(0, 2).map(([column, { reason }]) => {
    const said = reason.length > 60 ? `${reason.slice(0, 60).trimEnd()}…` : reason;
    // This reason already names the column.
    return reason === nullRefusal(column) ? said : `${column}: ${said}`;
  });
  const more = counts.size - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${counted(more, 'other column')}` : ''}`;
}
