/** One member uploads forms of many large files that never end. */
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Abuse } from '../abuse';
import { connectAlways, type Counters } from '../flood';

const PIECE = Buffer.alloc(256 * 1024, 'x');
const FILE = '\r\n--edge\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const PIECES_OF_A_FILE = 96;
const FILES = 8;

const chunk = (bytes: Buffer | string) =>
  Buffer.concat([Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);

/** Eight files of 24 MB, as fast as they are read; then nothing more, and no end. */
async function pour(socket: Socket, authorization: string, counters: Counters): Promise<void> {
  const head = ['POST /api/v1/user_uploads HTTP/1.1', 'Host: 127.0.0.1', 'Transfer-Encoding: chunked'];
  head.push('Content-Type: multipart/form-data; boundary=edge', `Authorization: ${authorization}`);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.on('data', (bytes) => {
    counters.add(`status ${bytes.toString('latin1', 9, 12)}`);
    socket.destroy();
  });
  for (let at = 0; at < FILES * PIECES_OF_A_FILE && !socket.destroyed; at += 1) {
    if (at % PIECES_OF_A_FILE === 0) socket.write(chunk(FILE));
    if (!socket.write(chunk(PIECE))) await drained(socket);
    else await wait(1);
  }
}

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', resolve);
  });

export const uploadFlood: Abuse = {
  name: 'upload-flood',
  summary: 'Forty connections of one member upload forms of eight files of 24 MB that have no end.',
  environment: { RATE_LIMIT: 'off' },
  async run(target, signal) {
    const { Authorization } = await target.basic('member@example.com');
    const use = (socket: Socket, counters: Counters) => void pour(socket, Authorization, counters).catch(() => {});
    return connectAlways(target, signal, { connections: 40, use });
  },
};
