/** Extracts the sample from an integration's documentation, a curl line, and sends it to a bot's URL. */
import { api, pause, RequestError } from '../../shared/http/request';
import type { Message, MessagesAnswer } from '../data/wire';

export interface Sample {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Query parameters of the curl line, except key, stream and topic. */
  readonly query: Readonly<Record<string, string>>;
}

export function sampleIn(page: string): Sample | undefined {
  const blocks = [...new DOMParser().parseFromString(page, 'text/html').querySelectorAll('pre code')];
  const line = blocks.map((block) => block.textContent ?? '').find((text) => text.includes('/api/v1/external/'));
  const body = line && /\s(?:-d|--data|--data-raw|--data-urlencode) '([\s\S]*?)'(?:\s|$)/.exec(line)?.[1];
  if (line === undefined || !body) return undefined;
  const headers = [...line.matchAll(/-H '([^:']+):\s*([^']*)'/g)].map(([, name, value]) => [name!, value!] as const);
  const address = /'(https?:[^']+)'/.exec(line)?.[1] ?? '';
  const query = new URL(address || location.href).searchParams;
  for (const name of ['api_key', 'stream', 'topic']) query.delete(name);
  const type = body.trimStart().startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
  return { headers: { 'Content-Type': type, ...Object.fromEntries(headers) }, body, query: Object.fromEntries(query) };
}

const NEWEST = 10_000_000_000_000_000;
const TRIES = 10;
const BETWEEN_MS = 400;

/** Sends the sample as the service would, without the user's session, and waits for the resulting message. */
export async function sendSample(address: string, sample: Sample): Promise<Message> {
  const url = new URL(address);
  for (const [name, value] of Object.entries(sample.query)) url.searchParams.set(name, value);
  const before = (await newest())?.id ?? 0;
  const response = await fetch(url, {
    method: 'POST',
    headers: sample.headers,
    body: sample.body,
    credentials: 'omit',
    signal: AbortSignal.timeout(20_000),
  });
  const answer = (await response.json()) as { msg: string; code?: string };
  if (!response.ok) throw new RequestError(response.status, answer.code ?? '', answer.msg);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const message = await newest();
    if (message && message.id > before) return message;
    await pause(BETWEEN_MS);
  }
  throw new RequestError(0, '', 'No message came of it.');
}

async function newest(): Promise<Message | undefined> {
  const params = { anchor: NEWEST, num_before: 1, num_after: 0, apply_markdown: true, client_gravatar: true };
  return (await api.get<MessagesAnswer>('/messages', params)).messages[0];
}
