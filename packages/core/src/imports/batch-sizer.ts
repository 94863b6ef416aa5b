/** Rows in a batch: as many as go through in about half a second, so that a cancel is heard and a fast server is used. */
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
