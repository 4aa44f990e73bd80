/** Requests as today's mobile app writes them, from one node after the other; every answer is decoded as it does. */
import { basicHeader, type Answer, type TestClient } from '../../http/client';
import { Decoder } from './decoding';

const AGENT = 'ZulipFlutter/30.0.274+274 (Android 15)';

const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  include_deactivated_groups: true,
  empty_topic_name: true,
  individual_emoji_changes: true,
};

type Params = Readonly<Record<string, unknown>>;
/** Text that goes as it is; other text goes as JSON, in quotes. */
const RAW = new Set(
  'username password anchor type topic content queue_id local_id propagate_mode emoji_name emoji_code reaction_type op flag status status_text token appid prev_content_sha256'.split(
    ' ',
  ),
);

const written = (params: Params) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      RAW.has(name) && typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

// oxlint-disable-next-line typescript/no-explicit-any -- answers and events of every shape
type Body = Record<string, any>;

export class TodayApp {
  readonly decoder = new Decoder();
  /** All that it could not decode. */
  readonly misfits: string[] = [];
  readonly #nodes: () => readonly TestClient[];
  #headers: Record<string, string> = { 'User-Agent': AGENT };
  #turn = 0;
  #lastEventId = -1;
  queueId = '';

  constructor(nodes: () => readonly TestClient[]) {
    this.#nodes = nodes;
  }

  async raw(method: string, path: string, params: Params = {}): Promise<Answer> {
    const nodes = this.#nodes();
    const node = nodes[(this.#turn += 1) % nodes.length]!;
    const given = method === 'GET' ? { query: written(params) } : { form: written(params) };
    return node.call(`/api/v1${path}`, { method, headers: this.#headers, ...given });
  }

  /** Named as the app's sources do if the path has ids in it. */
  async ask(route: string, params: Params = {}, ids: Readonly<Record<string, number | string>> = {}): Promise<Body> {
    const [method, pattern] = route.split(' ') as [string, string];
    const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
    const answer = await this.raw(method, path, params);
    if (answer.status !== 200) throw new Error(`${route} answered ${answer.status}: ${answer.text}`);
    if (this.decoder.reads(route)) this.misfits.push(...this.decoder.answer(route, answer.body));
    return answer.body as Body;
  }

  async signIn(username: string, password = 'demo'): Promise<void> {
    await this.ask('GET /server_settings');
    const { api_key: key } = await this.ask('POST /fetch_api_key', { username, password });
    this.#headers = { ...this.#headers, ...basicHeader(username, key as string) };
  }

  async register(): Promise<Body> {
    const state = await this.ask('POST /register', {
      idle_queue_timeout: 'mobile',
      apply_markdown: true,
      client_gravatar: false,
      slim_presence: true,
      client_capabilities: CAPABILITIES,
    });
    this.queueId = state['queue_id'] as string;
    this.#lastEventId = state['last_event_id'] as number;
    return state;
  }

  /** Returns where the file is. */
  async upload(name: string, text: string): Promise<Body> {
    const form = new FormData();
    form.append('file', new Blob([text]), name);
    const [node] = this.#nodes();
    const { body } = await node!.call('/api/v1/user_uploads', { method: 'POST', headers: this.#headers, raw: form });
    this.misfits.push(...this.decoder.answer('POST /user_uploads', body));
    return body as Body;
  }

  /** The events since the last call, up to the first that is looked for. */
  async until(isLast: (event: Body) => boolean): Promise<Body[]> {
    const heard: Body[] = [];
    while (!heard.some(isLast)) {
      const asked = { queue_id: this.queueId, last_event_id: this.#lastEventId };
      const { events } = await this.ask('GET /events', asked);
      for (const event of events as Body[]) {
        heard.push(event);
        this.#lastEventId = event['id'] as number;
      }
    }
    return heard;
  }
}
