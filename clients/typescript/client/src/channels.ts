/** The connections to a referee. */

import { isIPv4 } from "node:net";

import type { ChannelCredentials, ClientOptions } from "@grpc/grpc-js";

import { ClientError } from "./errors.js";
import { RefereeServiceClient } from "./gen/ronda/v1/referee_service.js";

/**
 * A server bounds the streams of one connection and lets the calls beyond that wait without a
 * word. Watchers therefore have connections of their own, so many on each.
 */
const WATCHERS_PER_CHANNEL = 32;

const TARGET = /^(?:\[([^\s/[\]]+)\]|([^\s:/[\]]+)):([0-9]{1,5})$/;

/**
 * Return where a referee listens, unchanged: a name or an address, `:`, and a port.
 *
 * @throws RangeError - It is none; the message shows what one looks like.
 */
export function checkedTarget(text: string): string {
  const port = Number(TARGET.exec(text)?.[3]);
  if (!(port >= 1 && port <= 65_535)) {
    throw new RangeError(`"${text}" is no HOST:PORT, as 127.0.0.1:7632 or [::1]:7632`);
  }
  return text;
}

/** Tell whether `host:port` is on this machine, whose connections nobody else can read. */
export function isLoopback(target: string): boolean {
  const [, six, host = ""] = TARGET.exec(target) ?? [];
  return six === "::1" || host === "localhost" || (isIPv4(host) && host.startsWith("127."));
}

interface WatchChannel {
  readonly stub: RefereeServiceClient;
  watchers: number;
}

/** One connection for calls and, for every so many watchers, one for streams. */
export class Channels {
  readonly #calls: RefereeServiceClient;
  readonly #watching: WatchChannel[] = [];
  #closed = false;

  constructor(
    /** Where the referee listens, as `host:port`. */
    readonly target: string,
    private readonly credentials: ChannelCredentials,
  ) {
    this.#calls = this.#open();
  }

  /**
   * The calls as they are, each made once.
   *
   * @throws ClientError - The connections were closed.
   */
  get stub(): RefereeServiceClient {
    this.checkOpen();
    return this.#calls;
  }

  /** Give a stub with room for one more watcher, and what gives the room back. */
  watching(): [RefereeServiceClient, () => void] {
    this.checkOpen();
    let held = this.#watching.find(({ watchers }) => watchers < WATCHERS_PER_CHANNEL);
    if (held === undefined) {
      held = { stub: this.#open(), watchers: 0 };
      this.#watching.push(held);
    }
    const taken = held;
    taken.watchers += 1;
    return [taken.stub, () => void (taken.watchers -= 1)];
  }

  /** Throw a ClientError where the connections were closed. */
  checkOpen(): void {
    if (this.#closed) throw new ClientError(`the client of ${this.target} was closed`);
  }

  /** Close every connection; calls under way are ended. */
  close(): void {
    this.#closed = true;
    for (const stub of [this.#calls, ...this.#watching.map((held) => held.stub)]) stub.close();
  }

  #open(): RefereeServiceClient {
    const options: ClientOptions = {
      // A referee that comes back is found within the client's own waits; gRPC's start at 1 s.
      "grpc.initial_reconnect_backoff_ms": 50,
      "grpc.max_reconnect_backoff_ms": 1_000,
      // Without this, channels to one target share one connection, whatever their number.
      "grpc.use_local_subchannel_pool": 1,
      ...(isLoopback(this.target) ? { "grpc.enable_http_proxy": 0 } : {}),
    };
    return new RefereeServiceClient(this.target, this.credentials, options);
  }
}
