/** One client on one connection that follows a stream of events, and reads it as cheaply as Node can. */
import { connect } from 'node:net';
import type { Heard, Poller, PollerOptions } from './poller';

/** All connections read into it, because each read is used up before the next. */
const BUFFER = Buffer.allocUnsafe(64 * 1024);
const HEAD_END = Buffer.from('\r\n\r\n');
const FRAME_END = Buffer.from('\n\n');
const ID = Buffer.from('id: ');
const TYPE = Buffer.from('"type":"');
const [ZERO, NINE, M] = Buffer.from('09m');
const NOTHING = Buffer.alloc(0);

/** Reads frames, which may arrive split. Tells of each message; heartbeats are messages to nobody. */
export function frameReader(hear: () => void): (bytes: Buffer) => void {
  let rest: Buffer = NOTHING;
  let isOpen = false;
  let last = -1;

  /** Where the frames begin, or -1 if the head of the response is not complete yet. */
  function afterHead(heard: Buffer): number {
    const end = heard.indexOf(HEAD_END);
    if (end === -1) return -1;
    const status = heard.toString('latin1', 0, heard.indexOf('\r'));
    if (!status.startsWith('HTTP/1.1 200')) throw new Error(`a stream was answered ${heard.toString('latin1')}`);
    isOpen = true;
    return end + HEAD_END.length;
  }

  function take(heard: Buffer, start: number): void {
    let id = 0;
    let at = start + ID.length;
    for (; heard[at]! >= ZERO! && heard[at]! <= NINE!; at += 1) id = id * 10 + heard[at]! - ZERO!;
    if (id <= last) throw new Error(`event ${id} came after ${last}`);
    last = id;
    if (heard[heard.indexOf(TYPE, at) + TYPE.length] === M) hear();
  }

  return (bytes) => {
    const heard = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let from = isOpen ? 0 : afterHead(heard);
    if (from !== -1) {
      for (let end = heard.indexOf(FRAME_END, from); end !== -1; end = heard.indexOf(FRAME_END, from)) {
        const start = heard.indexOf(ID, from);
        // Others are comments, or say when to connect again.
        if (start !== -1 && start < end) take(heard, start);
        from = end + FRAME_END.length;
      }
    }
    rest = from === heard.length ? NOTHING : Buffer.from(heard.subarray(Math.max(from, 0)));
  };
}

export function openFollower({ port, head, queueId }: PollerOptions, rounds: Heard): Poller {
  let heard = 0;
  const read = frameReader(() => rounds.hear(heard++));
  const callback = (length: number) => {
    read(BUFFER.subarray(0, length));
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: BUFFER, callback } });
  const path = `/api/v1/events?queue_id=${encodeURIComponent(queueId ?? '0')}&last_event_id=-1`;
  socket.once('close', () => {
    throw new Error('the server closed the connection of a stream');
  });
  return {
    isWaiting: true,
    connected: new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    }),
    ask: () => void socket.write(`GET ${path} HTTP/1.1\r\n${head}Accept: text/event-stream\r\n\r\n`, 'latin1'),
    askUntil: () => Promise.reject(new Error('a stream is asked for once')),
    reset() {
      heard = 0;
    },
  };
}
