/**
 * A client as its author would write it: it reconnects to any node, names the last event it saw, and records
 * everything.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { bearer, clientOf } from '../http/client';
import { openSocket, type SocketOptions, type TestSocket } from '../http/sockets';

export interface TextingClient {
  /** Texts of the messages that it received, in order. */
  readonly texts: string[];
  readonly numbers: number[];
  /** What should not have happened. */
  readonly problems: string[];
  /** How often it authenticated. */
  readonly entries: () => number;
  stop(): void;
}

/** Starts with events after now, at the first of the nodes. */
export async function followTexts(
  urls: () => readonly string[],
  key: string,
  first = 0,
  options: SocketOptions = {},
): Promise<TextingClient> {
  const texts: string[] = [];
  const numbers: number[] = [];
  const problems: string[] = [];
  let after: number | null = null;
  let entries = 0;
  let isOver = false;
  let socket: TestSocket | undefined;
  let entered: () => void;
  const hasEntered = new Promise<void>((resolve) => (entered = resolve));

  function come(place: number): void {
    if (isOver) return;
    const at = urls();
    const own = openSocket(at[place % at.length]!, options);
    socket = own;
    let isGone = false;
    const again = () => {
      if (isGone) return;
      isGone = true;
      own.close();
      void wait(50).then(() => come(place + 1));
    };
    own.raw.on('connect', () => void own.raw.emit('authenticate', { token: key, after }));
    own.raw.on('authenticated', ({ seq }: { seq: number }) => {
      entries += 1;
      after ??= seq;
      entered();
    });
    own.raw.on('unauthorized', ({ message }: { message: string }) => void problems.push(message));
    own.raw.on('resync_required', () => void problems.push('resync_required'));
    own.raw.on('connect_error', again);
    own.raw.on('disconnect', again);
    own.raw.on('texting.message.new', ({ text }: { text: string }) => void texts.push(text));
    for (const name of ['texting.message.new', 'texting.chat.new', 'user_status_updated']) {
      own.raw.on(name, (_: object, { seq }: { seq: number }) => {
        if (after !== null && seq !== after + 1) problems.push(`${seq} came after ${after}`);
        after = seq;
        numbers.push(seq);
      });
    }
  }
  come(first);
  await hasEntered;
  return {
    texts,
    numbers,
    problems,
    entries: () => entries,
    stop() {
      isOver = true;
      socket?.close();
    },
  };
}

/** Sends a text to any node until one has accepted it; a repeated send is still one text. */
export async function insistOnTexting(
  urls: () => readonly string[],
  conversation: string,
  { key, text }: { key: string; text: string },
): Promise<void> {
  for (let place = 0; ; place += 1) {
    const at = urls();
    const answer = await clientOf(at[place % at.length]!)
      .call(`/texting/conversations/${conversation}/messages`, {
        headers: bearer(key),
        json: { text, stamp_id: text },
        signal: AbortSignal.timeout(5000),
      })
      .catch(() => undefined);
    if (answer && answer.status < 300) return;
    if (answer && answer.status < 500) throw new Error(answer.text);
    await wait(100);
  }
}
