import type { Goal } from './measure.ts';

/** A goal of the project. The benchmark that measures the goal adds it to the figure. */
export interface DeclaredGoal extends Goal {
  /** The measured thing, in a few words. */
  what: string;
  /** The benchmark that measures the goal. Null if no benchmark does. */
  bench: string | null;
  /** The command that shows whether the goal is met, if no benchmark measures it. */
  shownBy?: string;
  unit: string;
}

/** The figure is at most `most`. */
const limit = (bench: string, what: string, most: number, unit: string): DeclaredGoal => ({
  of: 'subject',
  most,
  what,
  bench,
  unit,
});

/** The figure is at most `most` times the peer's figure. */
const times = (bench: string, what: string, most: number): DeclaredGoal => ({
  of: 'ratio',
  most,
  what,
  bench,
  unit: '×',
});

/** The figure is at most `most` above the peer's figure. */
const above = (bench: string, what: string, most: number, unit: string): DeclaredGoal => ({
  of: 'difference',
  most,
  what,
  bench,
  unit,
});

/** The goals of the project. `npm run bench` prints the goals at its end, in this order. */
export const goals = {
  // The tokens that a model pays.
  catalogue: limit('model-cost', 'the catalogue of tools', 2300, 'tokens'),
  describeSqlite: limit('model-cost', 'a SQLite table described', 200, 'tokens'),
  describeWeaviate: limit('model-cost', 'a Weaviate collection described', 450, 'tokens'),
  schema: limit('model-cost', 'the schema of a whole sample', 1500, 'tokens'),
  twentyRows: limit('model-cost', '20 rows of 8 columns', 850, 'tokens'),
  question: limit('model-cost', 'a question by vector search, five rows', 3600, 'tokens'),
  describeUsual: limit('model-cost', 'a collection of eight described properties, described', 600, 'tokens'),
  usualQuestion: limit('model-cost', 'a question about that collection, ten rows', 4500, 'tokens'),
  sqliteHalf: times('model-cost', '12 tasks on the SQLite sample', 1),
  // The bridge.
  coldStart: times('bridge', 'cold start of the bridge', 2.5),
  bridgeCall: above('bridge', 'a call through the bridge', 0.4, 'ms'),
  freshClient: times('dbhub', 'a fresh client', 0.25),
  furtherClient: times('dbhub', 'memory of a further client', 0.5),
  // Weaviate.
  plainPage: times('weaviate', 'a page of 1,000 rows without vectors', 1.25),
  vectorPage: times('weaviate', 'a page of 1,000 rows with vectors', 1.5),
  export: times('weaviate', 'an export of 20,000 objects', 1.11),
  filteredPage: times('connect', 'a filtered page of 1,000 rows', 1.25),
  sortedPage: times('connect', 'a sorted page of 1,000 rows', 1.25),
  namedVectorPage: times('connect', 'a filtered page of 1,000 rows with vectors', 1.5),
  filteredExport: times('connect', 'an export of the objects that match a filter', 1.11),
  exportMemory: limit('weaviate', 'memory of an export', 150, 'MB'),
  // The goal of an import is 0.8 times the speed of bare batches, so 1.25 times their time. The goal of a copy is 0.7
  // times the speed of a bare copy, so 1.43 times its time.
  import: times('import', 'an import of 100,000 objects', 1.25),
  copy: times('copy', 'a copy of a collection', 1.43),
  // The window.
  paintedPage: times('painted-page', 'a sorted page painted', 0.2),
  startBundle: limit('bundle', 'scripts and styles of the first page, gzip', 350, 'kB'),
  scroll: limit('window', 'the longest task while scrolling', 50, 'ms'),
  tabs: times('window', 'memory after 50 tabs', 1.05),
  // The vector map.
  wholeMap: above('map', 'the vector map of 50,000 rows', 15_000, 'ms'),
  firstPicture: limit('map', 'the first picture of the map', 2000, 'ms'),
  mapMemory: limit('map', 'memory of the map', 400, 'MB'),
  // The app.
  idleApp: limit('memory', 'idle memory of the app', 100, 'MB'),
  idleAppAndHost: limit('memory', 'idle memory of the app and a driver host', 150, 'MB'),
  npmStart: limit('npm-start', 'a second npm start', 2000, 'ms'),
  appStop: limit('app-stop', 'the worst stop', 2000, 'ms'),
  many: times('many', 'ten times as much of everything', 12),
  answers: times('answers', 'an answer of a driver checked', 3),
  linear: times('linear', 'four times the input', 6),
  suite: {
    of: 'subject',
    most: 480,
    what: 'the tests that a contributor waits for, two cores',
    bench: null,
    shownBy: 'npm test',
    unit: 's',
  },
} satisfies Record<string, DeclaredGoal>;
