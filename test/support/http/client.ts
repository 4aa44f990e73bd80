/** An HTTP client for one node that shows the whole response, and checks it against the OpenAPI document. */
import { checkAnswer } from './answer-check';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly raw?: string | Uint8Array | FormData;
  readonly signal?: AbortSignal;
  /** The document of all products describes this path, but this node does not serve it. */
  readonly isUnserved?: boolean;
}

export interface TestClient {
  call(path: string, ask?: Ask): Promise<Answer>;
  /** The Basic header of a demo account, by its development key. */
  basic(email: string): Promise<{ Authorization: string }>;
}

export const bearer = (key: string, user = 'primary') => ({ Authorization: `Bearer ${key}`, 'X-User-Id': user });

export const basicHeader = (email: string, key: string) => ({
  Authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
});

export function clientOf(base: string): TestClient {
  async function call(path: string, ask: Ask = {}): Promise<Answer> {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(ask.query ?? {})) url.searchParams.set(name, value);
    const { body, type } = bodyOf(ask);
    const method = ask.method ?? (body === undefined ? 'GET' : 'POST');
    const response = await fetch(url, {
      method,
      headers: { ...(type === undefined ? {} : { 'Content-Type': type }), ...ask.headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(ask.signal ? { signal: ask.signal } : {}),
    });
    const text = await response.text();
    const { status, headers } = response;
    const answer = { status, headers, text, body: parsed(text) };
    if (ask.isUnserved !== true)
      checkAnswer({ method, path: url.pathname, type: headers.get('content-type') ?? '', ...answer });
    return answer;
  }
  return {
    call,
    async basic(email) {
      const { body } = await call('/api/v1/dev_fetch_api_key', { form: { username: email } });
      return basicHeader(email, (body as { api_key: string }).api_key);
    },
  };
}

type Body = NonNullable<RequestInit['body']>;

function bodyOf(ask: Ask): { body?: Body; type?: string } {
  if (ask.form) return { body: new URLSearchParams(ask.form).toString(), type: 'application/x-www-form-urlencoded' };
  if (ask.json !== undefined) return { body: JSON.stringify(ask.json), type: 'application/json' };
  return ask.raw === undefined ? {} : { body: ask.raw as Body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
