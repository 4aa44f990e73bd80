/** Follows an event queue over one response, which the server keeps open. */
import { api } from '../../shared/http/request';
import type { ServerEvent } from '../data/wire';

/** The server writes at once. If nothing arrives, a proxy holds the response back. */
const FIRST_MS = 4000;
/** The server sends a heartbeat within 55 s. */
const SILENCE_MS = 90_000;
/** With a new request the server checks the session again, and learns which events have arrived. */
const RENEW_MS = 600_000;
/** If the server has not said when to come back. */
const RETRY_MS = 500;

export interface StreamEnd {
  /** How many pieces of the response have arrived. */
  readonly heard: number;
  /** Whether nothing more arrived in time. */
  readonly isSilent: boolean;
  readonly retryMs: number;
}

interface Following {
  readonly queueId: string;
  readonly last: number;
  readonly signal: AbortSignal;
  /** Called with each piece of the response, which may have no event. */
  readonly receive: (events: readonly ServerEvent[]) => void;
}

export async function followStream({ queueId, last, signal, receive }: Following): Promise<StreamEnd> {
  const over = new AbortController();
  let [heard, isSilent, retryMs] = [0, false, RETRY_MS];
  const giveUp = (): void => {
    isSilent = true;
    over.abort();
  };
  let patience = setTimeout(giveUp, FIRST_MS);
  const renewal = setTimeout(() => {
    retryMs = 0;
    over.abort();
  }, RENEW_MS);
  const read = async ({ headers, body }: Response) => {
    // Anything else is not from this server.
    if (!body || headers.get('Content-Type')?.startsWith('text/event-stream') !== true) {
      giveUp();
      return {};
    }
    const [reader, decoder, frames] = [body.getReader(), new TextDecoder(), openFrameReader()];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return {};
      heard += 1;
      clearTimeout(patience);
      patience = setTimeout(giveUp, SILENCE_MS);
      const found = frames(decoder.decode(value, { stream: true }));
      retryMs = found.retryMs ?? retryMs;
      receive(found.events);
    }
  };
  const query = { queue_id: queueId, last_event_id: last };
  const options = { signal: AbortSignal.any([signal, over.signal]), timeoutMs: 2 * RENEW_MS, patience: 0 };
  try {
    await api.get('/events', query, { ...options, headers: { Accept: 'text/event-stream' }, read });
  } catch (error) {
    if (!over.signal.aborted || signal.aborted) throw error;
  } finally {
    clearTimeout(patience);
    clearTimeout(renewal);
  }
  return { heard, isSilent, retryMs };
}

interface Frames {
  readonly events: readonly ServerEvent[];
  readonly retryMs: number | undefined;
}

/** Returns a function that takes the text piece by piece, and returns what is complete. */
export function openFrameReader(): (text: string) => Frames {
  let rest = '';
  return (text) => {
    const frames = (rest + text).split('\n\n');
    rest = frames.pop()!;
    const events: ServerEvent[] = [];
    let retryMs: number | undefined;
    for (const line of frames.flatMap((frame) => frame.split('\n'))) {
      if (line.startsWith('data: ')) events.push(JSON.parse(line.slice('data: '.length)) as ServerEvent);
      else if (line.startsWith('retry: ')) retryMs = Number(line.slice('retry: '.length));
    }
    return { events, retryMs };
  };
}
