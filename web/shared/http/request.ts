/** Sends a page's requests to its server: form fields in, the API's envelope out, every failure a RequestError. */

export type Params = Readonly<Record<string, unknown>>;

export interface RequestOptions {
  readonly params?: Params;
  /** Sent as JSON instead of form fields. */
  readonly json?: object;
  readonly file?: File;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Called when the server has done what was asked, and its answer begins to arrive. */
  readonly onAccepted?: () => void;
  /** Reads the answer, if that is not JSON. */
  readonly read?: (response: Response) => Promise<Record<string, unknown>>;
  /** The browser finishes the request if the page is left meanwhile. */
  readonly isKept?: boolean;
  /** How many rate-limit refusals to wait out. */
  readonly patience?: number;
}

/** `status` is 0 if there was no answer. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number;

  constructor(status: number, code: string, message: string, retryAfterMs = 0) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether a retry may succeed: the server may not have seen the request, or could not answer just now. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const DEADLINE_MS = 20_000;
const MAX_WAIT_MS = 60_000;

let token = '';

/** The token that proves that a request comes from our own page; sent in a header below. */
export function setToken(value: string): void {
  token = value;
}

export const currentToken = (): string => token;

export interface SessionHandlers {
  readonly ended: () => void;
  /** Fetches the token again. */
  readonly renew: () => Promise<void>;
}

export let sessionHandlers: SessionHandlers = { ended: () => undefined, renew: async () => undefined };

export function onSession(handlers: SessionHandlers): void {
  sessionHandlers = handlers;
}

export async function request<Answer = object>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  let patience = options.patience ?? 2;
  let isRenewed = false;
  for (;;) {
    try {
      return await once<Answer>(method, path, options);
    } catch (error) {
      const { status, code, retryAfterMs } = error as RequestError;
      if (status === 429 && patience > 0) {
        patience -= 1;
        await pause(Math.min(retryAfterMs || 1000, MAX_WAIT_MS), options.signal);
      } else if (code === 'TOKEN_REQUIRED' && !isRenewed) {
        isRenewed = true;
        await sessionHandlers.renew();
      } else {
        if (status === 401 && /^\/(ops\/)?api\//.test(path)) sessionHandlers.ended();
        throw error;
      }
    }
  }
}

async function once<Answer>(method: string, path: string, options: RequestOptions): Promise<Answer> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? DEADLINE_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const { url, body, type } = bodyOf(method, path, options);
  const headers = headersOf(type, options);
  let response: Response;
  let answer: Record<string, unknown>;
  try {
    const keepalive = options.isKept ?? false;
    response = await fetch(url, { method, headers, signal, keepalive, credentials: 'same-origin', body: body ?? null });
    answer = await readAnswer(response, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new RequestError(0, 'OFFLINE', error instanceof Error ? error.message : String(error));
  }
  if (response.ok && answer['result'] !== 'error') return answer as Answer;
  throw refusal(response, answer);
}

function headersOf(type: string, { headers: others }: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json', ...others };
  if (token !== '') headers['X-Partyline-Token'] = token;
  if (type !== '') headers['Content-Type'] = type;
  return headers;
}

async function readAnswer(response: Response, { onAccepted, read = readJson }: RequestOptions) {
  if (!response.ok) return readJson(response);
  onAccepted?.();
  return read(response);
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { msg: response.statusText || text.slice(0, 200) };
  }
}

/** Fetches a file or page as text. */
export async function fetchText(path: string): Promise<string> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const response = await fetch(path, { headers: { 'X-Partyline-Token': token }, signal, credentials: 'same-origin' });
  if (!response.ok) throw refusal(response, await readJson(response));
  return response.text();
}

function refusal(response: Response, answer: Record<string, unknown>): RequestError {
  const wait = Number(answer['retry-after'] ?? response.headers.get('Retry-After') ?? 0);
  const code = textOf(answer['code']);
  const message = textOf(answer['msg']) || textOf(answer['detail']) || response.statusText;
  return new RequestError(response.status, code, message, wait * 1000);
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function bodyOf(method: string, path: string, { params, json, file }: RequestOptions) {
  if (json) return { url: path, body: JSON.stringify(json), type: 'application/json' };
  const fields = Object.entries(params ?? {}).filter(([, value]) => value !== undefined);
  const texts = fields.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  if (file) {
    const form = new FormData();
    for (const [name, value] of texts) form.append(name!, value!);
    form.append('file', file);
    return { url: path, body: form, type: '' };
  }
  const query = new URLSearchParams(texts as [string, string][]).toString();
  if (method === 'GET') return { url: query === '' ? path : `${path}?${query}`, body: undefined, type: '' };
  return { url: path, body: query, type: 'application/x-www-form-urlencoded' };
}

/** Rejects early with the signal's reason if the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

const API = '/api/v1';

export const api = {
  get: <Answer = object>(path: string, params: Params = {}, options: RequestOptions = {}) =>
    request<Answer>('GET', API + path, { ...options, params }),
  post: <Answer = object>(path: string, params: Params = {}, options: RequestOptions = {}) =>
    request<Answer>('POST', API + path, { ...options, params }),
  patch: <Answer = object>(path: string, params: Params = {}, options: RequestOptions = {}) =>
    request<Answer>('PATCH', API + path, { ...options, params }),
  remove: <Answer = object>(path: string, params: Params = {}, options: RequestOptions = {}) =>
    request<Answer>('DELETE', API + path, { ...options, params }),
};
