/** One record as the app stores it. */
export interface StoredRecord {
  key: string;
  version: number;
  value?: unknown;
}

export interface RecordTransport {
  get(key: string): Promise<StoredRecord | null>;
  /** Writes the record if the stored version is the given one. Otherwise returns the stored record. */
  write(change: RecordChange): Promise<RecordAnswer>;
}

export interface RecordChange extends StoredRecord {
  connectionId?: string;
  id?: string;
  /** The `id` of an earlier write that is still running. This change may replace the earlier write. */
  after?: string;
}

export type RecordAnswer =
  | { written: true; version: number }
  | { written: false; current: StoredRecord | null };

/** This window's copy of a record that other windows write too. */
export interface RecordOwner {
  /** The value to store now; null deletes the record. */
  value(): unknown;
  /** The app has stored the value that `value()` returned last. */
  onStored(): void;
  /**
   * Receives the value that the app has stored, usually from another window. Null if the record was deleted. From
   * now on `value()` returns this value with this window's own changes. Returns true if these changes must still be
   * written.
   */
  onTheirs(theirs: unknown): boolean;
}

/** The delay of a write. A killed window loses the changes that it has not sent yet. */
const writeAfterMs = 200;
const retryAfterMs = 2000;

/**
 * A record that several windows show and write. A write names the version that it replaces. If another window wrote
 * first, this window gets the newer record, merges its own changes into it and writes the result.
 */
export class SharedRecord {
  readonly key: string;
  readonly #transport: RecordTransport;
  readonly #owner: RecordOwner;
  readonly #connectionId: string | undefined;
  #version: number;
  #isDirty = false;
  #isStale = false;
  #running: Promise<void> | null = null;
  /** The id of the running write. `flushNow` sends a second write that names this id, without a wait for the first. */
  #writing: string | undefined;
  /** Whether `flushNow` has sent a newer value during the running write. That write then does not call `onStored`. */
  #isOvertaken = false;
  #isReading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writeAt = 0;
  /** The last version that an event named while a request was running. */
  #heard: number | undefined;

  constructor(options: {
    key: string;
    version: number;
    connectionId?: string;
    transport: RecordTransport;
    owner: RecordOwner;
  }) {
    this.key = options.key;
    this.#version = options.version;
    this.#connectionId = options.connectionId;
    this.#transport = options.transport;
    this.#owner = options.owner;
  }

  /** Writes the record after a delay. Further changes do not extend the delay. */
  changed(): void {
    this.#isDirty = true;
    this.#later(writeAfterMs);
  }

  /** An event says that a window, perhaps this one, wrote this version. Version 0: the window deleted the record. */
  heard(version: number): void {
    // The event of our own write may arrive before the answer to the write. A read would then fetch the value that was
    // just sent. So during a request the version is only noted.
    if (this.#running) this.#heard = version;
    else if (version !== this.#version) this.refresh();
  }

  /** Reads the record again, since another window may have changed it. */
  refresh(): void {
    this.#isStale = true;
    void this.#once().catch(() => {});
  }

  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** Resolves when the changes are written. Rejects if a request failed. The request is then retried automatically. */
  async flush(): Promise<void> {
    do await this.#once();
    while (this.#isDirty || this.#isStale);
  }

  /**
   * Sends unwritten changes without delay, for a page that is closing. During a write, sends a second write, which may
   * replace the first. During a read, sends a write with the known version, which the app refuses if another window
   * wrote first. In both cases the changes still count as unwritten, since the page may stay open.
   */
  flushNow(): void {
    if (!this.#isDirty) return;
    if (!this.#running) void this.#once().catch(() => {});
    else if (this.#writing !== undefined) this.#sendNow({ after: this.#writing });
    else if (this.#isReading) this.#sendNow({});
  }

  #sendNow(more: { after?: string }): void {
    this.#isOvertaken = true;
    const change = this.#changeTo(this.#owner.value() ?? null);
    void this.#transport.write({ ...change, ...more }).catch(() => {});
  }

  async #once(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {});
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#run().finally(() => this.#end());
    await this.#running;
  }

  /**
   * The request has ended. If an event during the request named a version that is not the known one, another window may
   * have written the record. The record is then read again.
   */
  #end(): void {
    this.#running = null;
    const heard = this.#heard;
    this.#heard = undefined;
    if (heard !== undefined && heard !== this.#version) this.refresh();
  }

  /**
   * Reads the record if it may be old, and writes it if it was changed. If another window wrote first, merges the two
   * records and writes again. Changes made during the write are scheduled separately.
   */
  async #run(): Promise<void> {
    try {
      let isDue = this.#isDirty;
      while (isDue || this.#isStale) {
        isDue = this.#isStale ? await this.#read() : await this.#write();
      }
    } catch (error) {
      this.#later(retryAfterMs);
      throw error;
    }
  }

  /** True if this window has changes to write. */
  async #read(): Promise<boolean> {
    this.#isReading = true;
    // Cleared before the request: a `refresh` during the request sets it again, since the answer may be too old.
    this.#isStale = false;
    let current: StoredRecord | null;
    try {
      current = await this.#transport.get(this.key);
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#isReading = false;
    }
    if ((current?.version ?? 0) !== this.#version) this.#take(current);
    return this.#isDirty;
  }

  /** True if the stored record was newer, and the merged record must still be written. */
  async #write(): Promise<boolean> {
    this.#isDirty = false;
    const id = crypto.randomUUID();
    this.#writing = id;
    this.#isOvertaken = false;
    try {
      const answer = await this.#transport.write({ ...this.#changeTo(this.#owner.value() ?? null), id });
      if (!answer.written) {
        this.#take(answer.current);
        return this.#isDirty;
      }
      this.#version = answer.version;
      if (!this.#isOvertaken) this.#owner.onStored();
      return false;
    } catch (error) {
      this.#isDirty = true;
      throw error;
    } finally {
      this.#writing = undefined;
    }
  }

  #changeTo(value: unknown): RecordChange {
    const connectionId = this.#connectionId;
    return { key: this.key, version: this.#version, value, ...(connectionId && { connectionId }) };
  }

  #take(current: StoredRecord | null): void {
    this.#version = current?.version ?? 0;
    this.#isDirty = this.#owner.onTheirs(current?.value ?? null);
  }

  /** Schedules the reads and writes that are due. If they are scheduled already, the earlier time counts. */
  #later(ms: number): void {
    const at = Date.now() + ms;
    if (this.#timer !== undefined && this.#writeAt <= at) return;
    clearTimeout(this.#timer);
    this.#writeAt = at;
    this.#timer = setTimeout(() => void this.#once().catch(() => {}), ms);
  }
}
