/** A carrier's API for tests: answers in the recorded shapes of the three real ones, remembers what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The fields of a form, or of JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  readonly fields: any;
  /** The carrier's id of the text it took. */
  readonly messageId: string;
}

/** What it does instead of taking a text. */
export type Mood =
  | { readonly status: number; readonly body?: unknown }
  | 'hang'
  | 'cut'
  /** Takes the text and says nothing. */
  | 'take-and-cut'
  | 'garbage';

/** Something happens while it is called, and decides its mood; if it does not, the text is taken. */
export type Meanwhile = () => Promise<Mood | undefined>;

export interface CarrierServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** For so many requests; then it takes texts again. */
  mood(mood: Mood | Meanwhile, times?: number): void;
  close(): Promise<void>;
}

export async function startCarrierServer(): Promise<CarrierServer> {
  const seen: SeenRequest[] = [];
  let moods: (Mood | Meanwhile)[] = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const next = moods.shift();
    const mood = typeof next === 'function' ? await next() : next;
    const messageId = `carrier-${seen.length + 1}`;
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
    const fields: unknown = isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
    const entry = { method: request.method!, path: request.url!, headers: request.headers, body, fields, messageId };
    if (mood === undefined || mood === 'take-and-cut') seen.push(entry);
    if (typeof mood === 'string') return misbehave(mood, response);
    const [status, value] = mood ? [mood.status, mood.body ?? {}] : taken(entry);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    mood(mood, times = 1) {
      moods = Array.from({ length: times }, () => mood);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function misbehave(mood: string, response: ServerResponse): void {
  if (mood === 'garbage') response.writeHead(200).end('<html>');
  else if (mood !== 'hang') response.socket?.destroy();
}

/** As their documents show them. */
function taken({ path, fields, messageId: id }: SeenRequest): [number, unknown] {
  if (path === '/v2/messages') {
    const to = [{ phone_number: fields.to, status: 'queued', carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless' }];
    const from = { phone_number: fields.from, carrier: 'TELNYX LLC', line_type: 'VoIP' };
    const more = { direction: 'outbound', type: 'SMS', from, to, text: fields.text, parts: 1, tags: fields.tags };
    return [200, { data: { record_type: 'message', id, ...more, errors: [] } }];
  }
  if (path.startsWith('/2010-04-01/')) {
    const more = { body: fields.Body, to: fields.To, from: fields.From, direction: 'outbound-api', error_code: null };
    return [201, { sid: id, status: 'queued', num_segments: '1', num_media: '0', ...more, error_message: null }];
  }
  const { applicationId, to, from, text, tag } = fields;
  const time = '2016-09-14T18:20:16Z';
  const more = { owner: from, applicationId, time, segmentCount: 1, direction: 'out', to, from, text, tag };
  return [202, { id, ...more }];
}
