/** One client on one connection: it polls, records what it receives, and polls again at once. */
import { connect } from 'node:net';
import { AnswerReader, type HttpAnswer } from './answers';

export interface Poller {
  readonly connected: Promise<void>;
  /** Whether its server answers only when there are events. */
  readonly isWaiting: boolean;
  ask(): void;
  askUntil(end: number): Promise<void>;
  reset(): void;
}

/** Receives what a poller gets. */
export interface Heard {
  hear(round: number): void;
  answered(): void;
}

export interface PollerOptions {
  readonly port: number;
  /** Headers, each ending with a line break. */
  readonly head: string;
  readonly queueId?: string;
  /** Follows a stream instead of polling. */
  readonly isStream?: boolean;
}

/** Matches the event itself: a message inside it has another type. A heartbeat's id comes last. */
const EVENT = /\{"(?:id":(\d+),"type":"message"|type":"heartbeat","id":(\d+)\})/g;

const AGAIN_MS = 200;

export function openPoller({ port, head, queueId }: PollerOptions, rounds: Heard): Poller {
  const answers = new AnswerReader();
  let last = -1;
  let heard = 0;
  let end = 0;
  let done: (() => void) | undefined;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const path = `/api/v1/events?queue_id=${encodeURIComponent(queueId ?? '0')}&last_event_id=`;

  const ask = () => void socket.write(`GET ${path}${last} HTTP/1.1\r\n${head}\r\n`, 'latin1');

  function take({ status, body }: HttpAnswer): void {
    // A server with too many concurrent requests answers 503, so the poll is repeated a little later.
    if (status === 503) return void setTimeout(ask, AGAIN_MS);
    if (status !== 200) throw new Error(`a poll was answered ${status}: ${body}`);
    for (const [, message, heartbeat] of body.matchAll(EVENT)) {
      const id = Number(message ?? heartbeat);
      if (id <= last) throw new Error(`event ${id} came after ${last}`);
      last = id;
      if (message !== undefined) rounds.hear(heard++);
    }
    if (queueId !== undefined) return ask();
    if (!done) return rounds.hear(heard++);
    rounds.answered();
    if (performance.now() < end) ask();
    else done();
  }

  socket.on('data', (bytes: Buffer) => {
    for (const answer of answers.read(bytes)) take(answer);
  });
  socket.once('close', () => {
    throw new Error('the server closed the connection of a poll');
  });
  return {
    isWaiting: queueId !== undefined,
    connected: new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    }),
    ask,
    async askUntil(time) {
      end = time;
      await new Promise<void>((resolve) => {
        done = resolve;
        ask();
      });
      done = undefined;
    },
    reset() {
      heard = 0;
    },
  };
}
