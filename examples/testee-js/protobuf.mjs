// The wire format of Protocol Buffers, as far as it is needed here. A schema maps field numbers to
// [name, type]: "n", a number; "n?", one whose 0 is written; "s", a text; a schema; [type], a list.

const VARINT = 0, BYTES = 2;

// Gives the number at a place of the bytes and the place after it; undefined: it is not whole.
export function readVarint(bytes, start) {
  for (let at = start, value = 0, factor = 1; at < bytes.length; at++, factor *= 128) {
    value += (bytes[at] & 127) * factor;
    if (bytes[at] < 128) return [value, at + 1];
  }
  return undefined;
}

export function varintBytes(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
  return Buffer.from([...bytes, number]);
}

export function decode(schema, bytes) {
  const message = {};
  for (const [name, type] of Object.values(schema)) if (Array.isArray(type)) message[name] = [];
  let at = 0;
  const varint = () => {
    const [value, next] = readVarint(bytes, at) ?? [0, Infinity];
    at = next;
    return value;
  };
  while (at < bytes.length) {
    const key = varint();
    const [name, type] = schema[Math.floor(key / 8)] ?? [];
    const one = Array.isArray(type) ? type[0] : type;
    const put = (value) => {
      if (Array.isArray(type)) message[name].push(value);
      else message[name ?? "unknown"] = value; // a field that this schema does not need
    };
    if (key % 8 === VARINT) {
      put(varint());
    } else if (key % 8 === BYTES) {
      const end = varint() + at;
      if (one === "n") while (at < end) put(varint()); // numbers of a list stand together
      else if (typeof one === "object") put(decode(one, bytes.subarray(at, end)));
      else put(bytes.toString("utf8", at, end));
      at = end;
    } else throw new Error(`a field has the wire type ${key % 8}`);
  }
  if (at > bytes.length) throw new Error("a message ends in a field");
  return message;
}

export function encode(schema, message) {
  const parts = [];
  for (const [number, [name, type]] of Object.entries(schema)) {
    const value = message[name];
    const one = Array.isArray(type) ? type[0] : type;
    const key = (wire) => parts.push(varintBytes(number * 8 + wire));
    const put = (bytes) => key(BYTES) && parts.push(varintBytes(bytes.length), bytes);
    if (value === undefined || value === "" || value.length === 0) continue;
    else if (one === "s") put(Buffer.from(value));
    else if (one === "n" && Array.isArray(type)) put(Buffer.concat(value.map(varintBytes)));
    else if (typeof one !== "string") for (const part of [value].flat()) put(encode(one, part));
    else if (one === "n?" || Number(value)) key(VARINT) && parts.push(varintBytes(Number(value)));
  }
  return Buffer.concat(parts);
}
