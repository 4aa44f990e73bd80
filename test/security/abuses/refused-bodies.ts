/** Sends refused bodies that never end, over many connections, and keeps the connections after the response. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Abuse, AbuseCounts, Target } from '../abuse';

const CONNECTIONS = 100;
const CHUNK = Buffer.alloc(16_384, 120);
const BOMB = gzipSync(Buffer.alloc(4 * 1024 * 1024)).subarray(0, -8);
const FRAME = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Each is refused in another way: by the route, by its size, by its encoding, and as invalid HTTP. */
const HEADS = [
  'POST /nothing HTTP/1.1',
  'POST /api/v1/fetch_api_key HTTP/1.1\r\nContent-Type: application/json',
  'POST /api/v1/fetch_api_key HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: gzip',
  'BREW / HTTP/1.1',
];

export const refusedBodies: Abuse = {
  name: 'refused-bodies',
  summary: 'endless and broken bodies that are refused, on connections that the client never closes',
  async run(target, signal) {
    const counts: AbuseCounts = { connections: 0, answers: 0 };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => abuse(target, HEADS[at % 4]!, signal, counts)));
    return counts;
  },
};

// oxlint-disable-next-line max-params -- whom, with what, until when, and what is counted
async function abuse({ port }: Target, head: string, signal: AbortSignal, counts: AbuseCounts): Promise<void> {
  while (!signal.aborted) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    counts['connections']! += 1;
    socket.on('error', () => {});
    socket.once('data', () => (counts['answers']! += 1));
    socket.write(`${head}\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    await pour(socket, head.includes('gzip') ? BOMB : CHUNK, signal);
    socket.destroy();
  }
}

/** At most 4 MiB per connection, and not faster than the node reads. */
async function pour(socket: Socket, bytes: Buffer, signal: AbortSignal): Promise<void> {
  for (let sent = 0; sent < 256 && !signal.aborted && socket.writable; sent += 1) {
    if (!socket.write(FRAME(bytes))) await wait(20);
    await wait(5);
  }
}
