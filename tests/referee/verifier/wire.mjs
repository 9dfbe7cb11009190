// Protobuf's bytes, read strictly (LOG-3).
//
// A message is read leniently, as far as it is one at all, and what keeps it from being the one
// allowed serialization is noted on the way.

export class Undecodable extends Error {}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const GROUP = 3;
const GROUP_END = 4;
const FIXED_32 = 5;
const LARGEST_FIELD = 536870911n;
const DEEPEST = 100;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class Reader {
  constructor(bytes, notes) {
    this.bytes = bytes;
    this.notes = notes;
    this.at = 0;
  }

  get done() {
    return this.at === this.bytes.length;
  }

  varint() {
    let value = 0n;
    for (let count = 0; ; count += 1) {
      if (this.done || count === 10) throw new Undecodable("a varint does not end");
      const byte = this.bytes[this.at];
      this.at += 1;
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) {
        if (count === 9 && byte > 1) throw new Undecodable("a varint has more than 64 bits");
        if (count > 0 && byte === 0) this.notes.notCanonical = true;
        return value;
      }
    }
  }

  take(length) {
    if (length > BigInt(this.bytes.length - this.at)) throw new Undecodable("a field is cut off");
    const taken = this.bytes.subarray(this.at, this.at + Number(length));
    this.at += Number(length);
    return taken;
  }

  // Gives a tag as the number of the field and the wire type.
  tag() {
    const tag = this.varint();
    const field = tag >> 3n;
    if (field === 0n || field > LARGEST_FIELD) throw new Undecodable("there is no such field");
    return [Number(field), Number(tag & 7n)];
  }

  skip(field, wireType, depth = 0) {
    if (depth > DEEPEST) throw new Undecodable("the groups are too deep");
    switch (wireType) {
      case VARINT:
        this.varint();
        return;
      case FIXED_64:
        this.take(8n);
        return;
      case BYTES:
        this.take(this.varint());
        return;
      case FIXED_32:
        this.take(4n);
        return;
      case GROUP:
        for (;;) {
          const [inner, innerType] = this.tag();
          if (innerType === GROUP_END) {
            if (inner !== field) throw new Undecodable("a group ends that did not begin");
            return;
          }
          this.skip(inner, innerType, depth + 1);
        }
      default:
        throw new Undecodable("there is no such wire type");
    }
  }
}

// Gives what a varint means as a value of a type, noting what the type cannot hold.
const SCALARS = {
  uint32: (value, notes) => {
    if (value > 0xffffffffn) notes.notCanonical = true;
    return Number(BigInt.asUintN(32, value));
  },
  uint64: (value) => value,
  bool: (value, notes) => {
    if (value > 1n) notes.notCanonical = true;
    return value !== 0n;
  },
  enum: (value, notes) => {
    const signed = BigInt.asIntN(32, value);
    if (BigInt.asUintN(64, signed) !== value) notes.notCanonical = true;
    return Number(signed);
  },
};

const DEFAULTS = {
  uint32: () => 0,
  uint64: () => 0n,
  bool: () => false,
  enum: () => 0,
  string: () => "",
  bytes: () => Buffer.alloc(0),
};

const isDefault = (value) =>
  value instanceof Uint8Array ? value.length === 0 : !value;

function emptyMessage(schema, name) {
  const message = {};
  for (const field of schema[name].values()) {
    if (field.repeated) message[field.name] = [];
    else if (!field.presence) message[field.name] = DEFAULTS[field.type]();
  }
  return message;
}

function readValue(reader, schema, field, depth) {
  if (field.type in SCALARS) return SCALARS[field.type](reader.varint(), reader.notes);
  const bytes = reader.take(reader.varint());
  if (field.type === "bytes") return bytes;
  if (field.type !== "string") return readMessage(bytes, schema, field.type, reader.notes, depth + 1);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Undecodable(`${field.name} is no UTF-8`);
  }
}

function readPacked(reader, field) {
  const inner = new Reader(reader.take(reader.varint()), reader.notes);
  const values = [];
  while (!inner.done) values.push(SCALARS[field.type](inner.varint(), reader.notes));
  if (values.length === 0) reader.notes.notCanonical = true;
  return values;
}

function readMessage(bytes, schema, name, notes, depth) {
  if (depth > DEEPEST) throw new Undecodable("the messages are too deep");
  const reader = new Reader(bytes, notes);
  const message = emptyMessage(schema, name);
  const choices = new Map();
  let last = 0;
  while (!reader.done) {
    const [number, wireType] = reader.tag();
    const field = schema[name].get(number);
    const scalar = field !== undefined && field.type in SCALARS;
    const packed = scalar && field.repeated && wireType === BYTES;
    if (field === undefined || (!packed && wireType !== (scalar ? VARINT : BYTES))) {
      notes.unknown = true;
      reader.skip(number, wireType);
      continue;
    }
    const again = number === last && field.repeated && !scalar;
    if (number < last || (number === last && !again)) notes.notCanonical = true;
    last = number;
    if (packed) {
      message[field.name].push(...readPacked(reader, field));
      continue;
    }
    const value = readValue(reader, schema, field, depth);
    if (field.repeated) {
      if (scalar) notes.notCanonical = true;
      message[field.name].push(value);
      continue;
    }
    if (!field.presence && isDefault(value)) notes.notCanonical = true;
    if (field.choice !== undefined) {
      const before = choices.get(field.choice);
      if (before !== undefined) {
        notes.notCanonical = true;
        delete message[before];
      }
      choices.set(field.choice, field.name);
      message[field.choice] = field.name;
    }
    message[field.name] = value;
  }
  return message;
}

// Reads a message of the schema. Gives the message, and what its bytes are beside it: `unknown`
// where there are fields that the schema lacks, `notCanonical` where there is another serialization.
//
// Fields without presence are there with their defaults; a oneof has a field of its own with the
// name of the member that is set. Throws Undecodable.
export function decode(bytes, schema, name) {
  const notes = { unknown: false, notCanonical: false };
  const message = readMessage(bytes, schema, name, notes, 0);
  return { message, ...notes };
}
