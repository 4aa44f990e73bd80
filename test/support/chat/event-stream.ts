/** A client of event streams: reads frames as they arrive. */
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

export interface StreamedEvent {
  readonly id: number;
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
  readonly [name: string]: any;
}

export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: StreamedEvent[];
  /** All that was received, as text. */
  readonly text: () => string;
  readonly isOver: () => boolean;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<unknown>;
  pause(): void;
  resume(): void;
  close(): void;
}

export async function openEventStream(
  url: string,
  query: Record<string, string>,
  headers: Record<string, string>,
  { signal, onEvent }: { signal?: AbortSignal; onEvent?: (event: StreamedEvent) => void } = {},
): Promise<EventStream> {
  const address = `${url}/api/v1/events?${new URLSearchParams(query).toString()}`;
  const options = { headers: { Accept: 'text/event-stream', ...headers }, agent: false, ...(signal && { signal }) };
  const outgoing = request(address, options);
  outgoing.on('error', () => {});
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const events: StreamedEvent[] = [];
  let [text, rest, isOver] = ['', '', false];
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const frames = (rest + chunk).split('\n\n');
    rest = frames.pop()!;
    for (const frame of frames) {
      const [, id, data] = /^id: (-?\d+)\ndata: (.*)$/.exec(frame) ?? [];
      if (data === undefined) continue;
      const event = JSON.parse(data) as StreamedEvent;
      if (event.id !== Number(id)) throw new Error(`a frame with id ${id} holds event ${event.id}`);
      events.push(event);
      onEvent?.(event);
    }
  });
  response.on('error', () => {});
  const ended = new Promise((resolve) => response.once('close', resolve)).then(() => (isOver = true));
  return {
    status: response.statusCode!,
    headers: response.headers,
    events,
    text: () => text,
    isOver: () => isOver,
    ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void outgoing.destroy(),
  };
}
