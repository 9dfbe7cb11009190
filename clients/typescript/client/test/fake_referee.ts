/** A referee of few words on a loopback port, for what a real one does only when it fails. */

import {
  Metadata,
  Server,
  ServerCredentials,
  status,
  type ServerWritableStream,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";

import { recordHash } from "../src/chain.js";
import {
  LogRecord,
  RefereeServiceService,
  type LogEntry,
  type WatchMatchRequest,
  type WatchMatchResponse,
} from "../src/index.js";

/** A watcher's stream, as the referee has it. */
export type Watching = ServerWritableStream<WatchMatchRequest, WatchMatchResponse>;

/** A referee that answers some calls. */
export interface FakeReferee {
  /** Where it listens, `host:port`. */
  readonly target: string;
  /** Stop it; calls under way are ended. */
  readonly stop: () => void;
}

/** Start a referee that answers these calls, and no others. */
export async function fakeReferee(calls: UntypedServiceImplementation): Promise<FakeReferee> {
  const server = new Server();
  const service = Object.entries(RefereeServiceService).filter(([name]) => name in calls);
  server.addService(Object.fromEntries(service), calls);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { target: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

/** Return a status as a server gives it, with an ErrorInfo of this reason where there is one. */
export function refusal(code: status, reason?: string, metadata: [string, string][] = []) {
  const carried = new Metadata();
  if (reason !== undefined) {
    const entries = metadata.map(([name, value]) => field(3, field(1, name), field(2, value)));
    const info = Buffer.concat([field(1, reason), field(2, "ronda.v1"), ...entries]);
    const any = [field(1, "type.googleapis.com/google.rpc.ErrorInfo"), field(2, info)];
    carried.set("grpc-status-details-bin", field(3, ...any));
  }
  return { code, details: "as the test wants it", metadata: carried };
}

/** Serialize a field of fewer than 128 bytes. */
function field(number: number, ...value: (string | Buffer)[]): Buffer {
  const bytes = Buffer.concat(value.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}

/** Return a log of these records, each chained to the one before. */
export function log(...records: LogRecord["record"][]): LogEntry[] {
  let previousHash: Buffer = Buffer.alloc(32);
  return records.map((record, sequence) => {
    const whole = LogRecord.create({ sequence, previousHash });
    whole.record = record;
    const bytes = Buffer.from(LogRecord.encode(whole).finish());
    previousHash = recordHash(bytes);
    return { sequence, record: bytes, opening: undefined };
  });
}
