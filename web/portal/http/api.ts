/** The portal's API client: JSON in and out, problems become RequestErrors. */
import { currentToken, RequestError, sessionHandlers, textOf } from '../../shared/http/request';

type Query = Readonly<Record<string, string | number | undefined>>;

interface Sending {
  readonly query?: Query;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly csv?: string;
  readonly timeoutMs?: number;
}

/** One page of a list, and the total count. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** A part of a long list, and where the next one begins. */
export interface Slice<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

const FILE_DEADLINE_MS = 120_000;
const DEADLINE_MS = 20_000;
/** The server answers orders to a PBX only once they are done. */
export const PBX_DEADLINE_MS = 90_000;

async function send(method: string, path: string, sending: Sending = {}): Promise<Response> {
  const answer = await once(method, path, sending);
  const problem = answer.ok ? undefined : await refusalOf(answer);
  if (!problem) return answer;
  if (problem.code === 'TOKEN_REQUIRED') {
    // Another tab has signed in meanwhile.
    await sessionHandlers.renew();
    const again = await once(method, path, sending);
    if (again.ok) return again;
    throw await refusalOf(again);
  }
  if (problem.code === 'SESSION_ENDED') sessionHandlers.ended();
  throw problem;
}

async function once(method: string, path: string, { query, json, form, csv, timeoutMs }: Sending): Promise<Response> {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (currentToken() !== '') headers['X-Partyline-Token'] = currentToken();
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  if (csv !== undefined) headers['Content-Type'] = 'text/csv';
  const body = form ?? csv ?? (json === undefined ? null : JSON.stringify(json));
  const signal = AbortSignal.timeout(timeoutMs ?? DEADLINE_MS);
  try {
    return await fetch(search === '' ? path : `${path}?${search}`, { method, headers, body, signal });
  } catch (error) {
    throw new RequestError(0, 'OFFLINE', error instanceof Error ? error.message : String(error));
  }
}

async function refusalOf(answer: Response): Promise<RequestError> {
  const problem = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  const detail = textOf(problem['detail']) || answer.statusText;
  return new RequestError(answer.status, textOf(problem['type']), detail);
}

const read = async <Answer>(answer: Promise<Response>): Promise<Answer> => (await (await answer).json()) as Answer;

export const api = {
  get: <Answer>(path: string, query: Query = {}) => read<Answer>(send('GET', path, { query })),
  post: <Answer = object>(path: string, json: unknown = {}, timeoutMs = DEADLINE_MS) =>
    read<Answer>(send('POST', path, { json, timeoutMs })),
  put: <Answer = object>(path: string, json: unknown) => read<Answer>(send('PUT', path, { json })),
  patch: <Answer = object>(path: string, json: unknown, timeoutMs = DEADLINE_MS) =>
    read<Answer>(send('PATCH', path, { json, timeoutMs })),
  remove: <Answer = object>(path: string, timeoutMs = DEADLINE_MS) => read<Answer>(send('DELETE', path, { timeoutMs })),
  upload: <Answer>(path: string, form: FormData) => read<Answer>(send('POST', path, { form, timeoutMs: 120_000 })),
  postCsv: <Answer>(path: string, csv: string, more: Pick<Sending, 'query' | 'timeoutMs'>) =>
    read<Answer>(send('POST', path, { csv, ...more })),
  list: <Item>(path: string, query: Query = {}) => list<Item>(path, query),
  /** For what a page shows or saves: an address alone does not carry the token of the session. */
  blob: async (path: string, query: Query = {}): Promise<Blob> =>
    (await send('GET', path, { query, timeoutMs: FILE_DEADLINE_MS })).blob(),
  slice: async <Item>(path: string, query: Query = {}): Promise<Slice<Item>> => {
    const answer = await send('GET', path, { query });
    return { items: (await answer.json()) as Item[], next: answer.headers.get('X-Next-Cursor') ?? undefined };
  },
};

/** The API answers an empty list with 204 or 404. */
async function list<Item>(path: string, query: Query): Promise<Listed<Item>> {
  try {
    const answer = await send('GET', path, { query });
    const items = answer.status === 204 ? [] : ((await answer.json()) as Item[]);
    return { items, total: Number(answer.headers.get('X-Pagination-Total-Count') ?? items.length) };
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return { items: [], total: 0 };
    throw error;
  }
}
