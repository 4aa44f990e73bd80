/** One client on one connection that follows a stream of events, and reads it as cheaply as Node can. */
import { connect, type Socket } from 'node:net';
import type { Heard, Poller, PollerOptions } from './poller';

/** All connections read into it, because each read is used up before the next. */
const BUFFER = Buffer.allocUnsafe(64 * 1024);
const HEAD_END = Buffer.from('\r\n\r\n');
const FRAME_END = Buffer.from('\n\n');
const ID = Buffer.from('id: ');
const TYPE = Buffer.from('"type":"');
const [ZERO, NINE, M] = Buffer.from('09m');
const NOTHING = Buffer.alloc(0);

/** The last event that a client has seen, on all of its connections. */
interface Seen {
  last: number;
}

/** Reads frames, which may arrive split. Tells of each message; heartbeats are messages to nobody. */
export function frameReader(hear: () => void, seen: Seen = { last: -1 }): (bytes: Buffer) => void {
  let rest: Buffer = NOTHING;
  let isOpen = false;

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
    if (id <= seen.last) throw new Error(`event ${id} came after ${seen.last}`);
    seen.last = id;
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

/** As the server asks of those whose stream could not begin, for example because its database was late. */
const AGAIN_MS = 1000;

let isSaid = false;

/** Connecting again costs what no delivery does. */
function sayOnce(): void {
  if (!isSaid) console.error('the server closed a stream; its client connects again');
  isSaid = true;
}

export function openFollower({ port, head, queueId }: PollerOptions, rounds: Heard): Poller {
  let heard = 0;
  const seen: Seen = { last: -1 };
  const path = `/api/v1/events?queue_id=${encodeURIComponent(queueId ?? '0')}&last_event_id=-1`;

  function open(): Socket {
    const read = frameReader(() => rounds.hear(heard++), seen);
    const callback = (length: number) => {
      read(BUFFER.subarray(0, length));
      return true;
    };
    return connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: BUFFER, callback } });
  }
  function ask(socket: Socket): void {
    const more = `Accept: text/event-stream\r\nLast-Event-ID: ${seen.last}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\n${head}${more}\r\n`, 'latin1');
    // As an EventSource does.
    socket.on('error', () => {});
    socket.once('close', () => {
      sayOnce();
      setTimeout(() => ask(open()), AGAIN_MS);
    });
  }

  const first = open();
  return {
    isWaiting: true,
    connected: new Promise((resolve, reject) => {
      first.once('connect', resolve);
      first.once('error', reject);
    }),
    ask: () => ask(first),
    askUntil: () => Promise.reject(new Error('a stream is asked for once')),
    reset() {
      heard = 0;
    },
  };
}
