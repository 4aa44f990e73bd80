/** A carrier's API for tests: responds as the real ones do, and records what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CARRIER_APIS, type Fields } from './carrier-apis';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly fields: Fields;
  readonly to: string;
  readonly text: string;
  /** The carrier's id of the accepted text. */
  readonly messageId: string;
}

/** What it does instead of accepting a text. */
export type Mood =
  | { readonly status: number; readonly body?: unknown }
  | 'hang'
  | 'cut'
  /** Accepts the text and cuts the connection without a response. */
  | 'take-and-cut'
  | 'garbage';

/** An action that runs during the call and decides its behaviour; if it decides nothing, the text is accepted. */
export type Meanwhile = () => Promise<Mood | undefined>;

export interface CarrierServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Sets the behaviour for this many requests; after that it accepts texts again. */
  mood(mood: Mood | Meanwhile, times?: number): void;
  /** The number of hanging requests. */
  hanging(): number;
  /** Cuts the connections of the hanging requests. */
  cut(): void;
  close(): Promise<void>;
}

export async function startCarrierServer(): Promise<CarrierServer> {
  const seen: SeenRequest[] = [];
  const hung = new Set<ServerResponse>();
  let moods: (Mood | Meanwhile)[] = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const next = moods.shift();
    const mood = typeof next === 'function' ? await next() : next;
    const messageId = `carrier-${seen.length + 1}`;
    const fields = fieldsOf(request, body);
    const { method = '', url: path = '', headers } = request;
    const api = Object.values(CARRIER_APIS).find((each) => each.isAt(path))!;
    const entry = { method, path, headers, body, fields, ...api.textOf(fields), messageId };
    if (mood === undefined || mood === 'take-and-cut') seen.push(entry);
    if (mood === 'hang') {
      hung.add(response);
      response.once('close', () => hung.delete(response));
    }
    if (typeof mood === 'string') return misbehave(mood, response);
    const [status, value] = mood ? [mood.status, mood.body ?? {}] : api.taken(fields, messageId);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    mood(mood, times = 1) {
      moods = Array.from({ length: times }, () => mood);
    },
    hanging: () => hung.size,
    cut: () => hung.forEach(({ socket }) => socket?.destroy()),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fieldsOf({ headers }: IncomingMessage, body: string): Fields {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

function misbehave(mood: string, response: ServerResponse): void {
  if (mood === 'garbage') response.writeHead(200).end('<html>');
  else if (mood !== 'hang') response.socket?.destroy();
}
