/**
 * Reads the fields of a protobuf message one after another. The message library builds an object for each value, which
 * takes three times as long as this. Only answers of searches are read in this way.
 */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;
  #type = 0;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** The number of the next field, or 0 at the end. Its value must be read or skipped before the next call. */
  next(): number {
    if (this.#at >= this.#end) return 0;
    const tag = this.varint();
    this.#type = tag & 7;
    return tag >>> 3;
  }

  /** A number that fits 53 bits. */
  varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 70; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError('Damaged message');
  }

  /** A signed integer of 64 bits, as the double that is nearest to it. */
  int64(): number {
    let low = 0;
    let high = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.#byte();
      if (index < 4) low += (byte & 127) * 128 ** index;
      else high += (byte & 127) * 128 ** (index - 4);
      if (byte < 128) {
        // Only a negative number has ten bytes. Any other is rounded once, by this sum.
        if (index < 9) return low + high * 2 ** 28;
        return Number(BigInt.asIntN(64, BigInt(low) + (BigInt(high) << 28n)));
      }
    }
    throw new RangeError('Damaged message');
  }

  bool(): boolean {
    return this.varint() !== 0;
  }

  /** Some or all items of a list, depending on how the server packs it. */
  bools(): boolean[] {
    if (this.#type === 0) return [this.bool()];
    return Array.from(this.bytes(), (byte) => byte !== 0);
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#step(8));
  }

  float(): number {
    return this.#bytes.readFloatLE(this.#step(4));
  }

  text(): string {
    const length = this.varint();
    const start = this.#step(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  bytes(): Buffer {
    const length = this.varint();
    const start = this.#step(length);
    return this.#bytes.subarray(start, start + length);
  }

  message(): WireReader {
    const length = this.varint();
    const start = this.#step(length);
    return new WireReader(this.#bytes, start, start + length);
  }

  skip(): void {
    if (this.#type === 0) this.varint();
    else if (this.#type === 1) this.#step(8);
    else if (this.#type === 2) this.#step(this.varint());
    else if (this.#type === 5) this.#step(4);
    else throw new RangeError('Damaged message');
  }

  #byte(): number {
    return this.#bytes[this.#step(1)] ?? 0;
  }

  /** Moves on by `length` bytes. Returns where they begin. */
  #step(length: number): number {
    const start = this.#at;
    this.#at = start + length;
    if (this.#at > this.#end) throw new RangeError('Damaged message');
    return start;
  }
}
