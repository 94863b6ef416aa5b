import { DriverError } from '@trestle/driver-kit';

/** The server's default for QUERY_MAXIMUM_RESULTS: offset plus limit may not exceed it. */
const defaultRows = 10_000;

/**
 * The paging limit for a server: the default, or the server's own limit if it is lower. The server does not report its
 * limit: a refused page is the only sign of a lower limit. A higher limit is not used.
 */
export class PagingDepth {
  #rows = defaultRows;

  get rows(): number {
    return this.#rows;
  }

  /**
   * Reads the page as far as the paging limit. If the server refuses the page as too deep, finds the server's limit and
   * reads again. `probe` reads one row by its number. The first row has the number 1.
   */
  async read<T>(
    page: { offset: number; limit: number },
    work: (limit: number) => Promise<T>,
    probe: (row: number) => Promise<unknown>,
  ): Promise<{ result: T; limit: number }> {
    const limit = this.#fit(page);
    try {
      return { result: await work(limit), limit };
    } catch (error) {
      if (!isDepthRefusal(error)) throw error;
      await this.#find(page.offset + limit, probe);
    }
    const less = this.#fit(page);
    return { result: await work(less), limit: less };
  }

  note(): string {
    const where = this.#rows === defaultRows ? '' : ' on this server (QUERY_MAXIMUM_RESULTS)';
    return `Paging ends at row ${this.#rows.toLocaleString('en')}${where}; an export without a sort has no such limit.`;
  }

  #fit({ offset, limit }: { offset: number; limit: number }): number {
    if (offset < this.#rows) return Math.min(limit, this.#rows - offset);
    throw new DriverError({
      code: 'paging_limit',
      message: `Trestle does not page past row ${this.#rows.toLocaleString('en')}${
        this.#rows === defaultRows ? '' : ': the server allows no more (QUERY_MAXIMUM_RESULTS)'
      }`,
      hint: 'Narrow the filter, or export: an export without a sort has no such limit.',
    });
  }

  /** Binary search between a row within the limit and one beyond it. */
  async #find(beyond: number, probe: (row: number) => Promise<unknown>): Promise<void> {
    let within = 0;
    while (beyond - within > 1) {
      const middle = (within + beyond) >> 1;
      try {
        await probe(middle);
        within = middle;
      } catch (error) {
        if (!isDepthRefusal(error)) throw error;
        beyond = middle;
      }
    }
    this.#rows = within;
  }
}

function isDepthRefusal(error: unknown): boolean {
  return error instanceof DriverError && error.code === 'paging_limit';
}
