/** Bounds the responses that a node buffers until clients read them, and cuts connections whose clients do not read. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { Counts } from '../../admission/counts';
import { comeLater } from '../../admission/gate';
import type { Log } from '../../log';
import type { HttpSettings } from '../../settings';

export type UnsentRule = Pick<HttpSettings, 'unsentLimitBytes' | 'slowReaderMs'>;

/** Larger responses are counted, and written piece by piece as the client reads them. */
export const LARGE_BYTES = 64 * 1024;
const PIECE_BYTES = 16 * 1024;
/** The share of the limit that may wait for one caller. A single response may always exceed it. */
const CALLER_SHARE = 1 / 4;
/** The share of the limit that slow streams may still hold after the slowest have been cut. */
const KEPT_SHARE = 3 / 4;
const LOOK_MS = 1000;

interface Connection {
  /** Bytes sent when it last made progress, and the time of that; 0 while nothing waits. */
  left: number;
  since: number;
  /** Releases the responses that wait on it. */
  readonly held: Set<() => void>;
}

export class UnsentAnswers {
  readonly #rule: UnsentRule;
  /** Bytes by caller. */
  readonly #held = new Counts();
  readonly #connections = new Map<Socket, Connection>();
  /** Connections of streams whose clients have not read everything, or had not when the bytes were last added up. */
  readonly #behind = new Set<Socket>();
  /** At least what waits on them. */
  #behindBytes = 0;

  constructor(rule: UnsentRule) {
    this.#rule = rule;
  }

  /** Throws if the caller leaves so much unread that no further response should be prepared. */
  check(caller: string): void {
    if (this.#held.of(caller) >= this.#rule.unsentLimitBytes * CALLER_SHARE) throw tooMuchUnread();
  }

  /** Counts a response until it has left; throws if it would be too much. */
  hold(response: ServerResponse, caller: string, bytes: number): void {
    this.#held.add(caller, bytes);
    const [limit, own] = [this.#rule.unsentLimitBytes, this.#held.of(caller)];
    const isTooMuch = own > bytes && own > limit * CALLER_SHARE;
    if (isTooMuch || (this.#held.total > bytes && this.#held.total > limit) || response.destroyed) {
      this.#held.add(caller, -bytes);
      throw tooMuchUnread();
    }
    // A response that waits behind others on its connection gets no event when the connection closes.
    const held = this.#connections.get(response.req.socket)?.held;
    const release = () => {
      held?.delete(release);
      response.off('close', release);
      this.#held.add(caller, -bytes);
    };
    held?.add(release);
    response.on('close', release);
  }

  /** Counts bytes that a stream could not send at once. If streams hold too much, those that hold the most are cut. */
  fallBehind(socket: Socket, bytes: number): void {
    this.#behind.add(socket);
    this.#behindBytes += bytes;
    if (this.#behindBytes > this.#rule.unsentLimitBytes) this.#cutStreams();
  }

  /** The connection of a stream has closed. */
  leave(socket: Socket): void {
    this.#behind.delete(socket);
  }

  #cutStreams(): void {
    const behind = [...this.#behind].map((socket) => ({ socket, bytes: socket.writableLength }));
    for (const { socket, bytes } of behind) if (bytes === 0) this.#behind.delete(socket);
    this.#behindBytes = behind.reduce((sum, { bytes }) => sum + bytes, 0);
    if (this.#behindBytes <= this.#rule.unsentLimitBytes) return;
    for (const { socket, bytes } of behind.sort((a, b) => b.bytes - a.bytes)) {
      if (this.#behindBytes <= this.#rule.unsentLimitBytes * KEPT_SHARE) return;
      this.#behindBytes -= bytes;
      this.#behind.delete(socket);
      socket.destroy();
    }
  }

  /** Checks all connections often enough to notice a client that does not read. */
  watch(server: Server, log: Log): void {
    server.on('connection', (socket: Socket) => {
      const held = new Set<() => void>();
      this.#connections.set(socket, { left: 0, since: 0, held });
      socket.once('close', () => {
        this.#connections.delete(socket);
        for (const release of held) release();
      });
    });
    const looking = setInterval(() => {
      const cut = this.#look(performance.now());
      if (cut > 0) log.info({ connections: cut }, 'closed connections of slow readers');
    }, LOOK_MS).unref();
    server.on('close', () => clearInterval(looking));
  }

  #look(now: number): number {
    const stalled: { socket: Socket; since: number }[] = [];
    let unread = 0;
    for (const [socket, seen] of this.#connections) {
      const { writableLength } = socket;
      // Nothing waits to be read: a waiting poll, or an idle connection.
      if (writableLength === 0) {
        seen.since = 0;
        continue;
      }
      unread += writableLength;
      const left = socket.bytesWritten - writableLength;
      if (seen.since === 0 || left !== seen.left) [seen.left, seen.since] = [left, now];
      else stalled.push({ socket, since: seen.since });
    }
    stalled.sort((a, b) => a.since - b.since);
    let cut = 0;
    for (const { socket, since } of stalled) {
      // Small responses are not counted one by one. If they are too much together, the slowest readers go first.
      if (now - since < this.#rule.slowReaderMs && unread <= this.#rule.unsentLimitBytes) break;
      unread -= socket.writableLength;
      socket.destroy();
      cut += 1;
    }
    return cut;
  }
}

const tooMuchUnread = () => comeLater('Too many answers wait to be read; try again');

/** A body as a stream, so that the connection buffers no more of it than its client reads. */
export function piecesOf(body: Buffer): Readable {
  function* pieces() {
    for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
  }
  return Readable.from(pieces(), { objectMode: false });
}

/** Ends a response whose headers are written. A client that leaves before the end is no error. */
export function sendPieces(response: ServerResponse, body: Buffer): void {
  pipeline(piecesOf(body), response, () => {});
}
