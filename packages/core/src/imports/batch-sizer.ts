/**
 * Adapts the number of rows per batch, so that a batch takes about 0.4 to 1 second. A cancel is then quick, and a fast
 * server is well used.
 */
export function batchSizer() {
  let rows = 128;
  return {
    get rows() {
      return rows;
    },
    async timed<T>(work: () => Promise<T>): Promise<T> {
      const start = performance.now();
      try {
        return await work();
      } finally {
        const ms = performance.now() - start;
        if (ms < 400) rows = Math.min(most, rows * 2);
        else if (ms > 1000) rows = Math.max(least, Math.floor(rows / 2));
      }
    },
  };
}

const least = 8;
const most = 4096;
