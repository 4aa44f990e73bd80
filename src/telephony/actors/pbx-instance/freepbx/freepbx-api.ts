/**
 * Client for FreePBX's GraphQL API: hourly tokens, queries, and errors told apart by message, since all are HTTP 400.
 */
import { Cache } from '../../../../kernel/cache/cache';
import type { Secrets } from '../../../../kernel/secrets/secrets';
import type { Instance } from '../../../model/sites/site';
import { AccessRefused, PbxError, type CallContext } from '../driver';
import { callPbx, inTheMiddle, readJson, splitCredentials, untilDeadline } from '../pbx-http';

export type Meaning = 'exists' | 'missing' | 'none' | 'unsupported' | 'never' | 'failed';

/** An error that FreePBX itself reported. */
export class FreePbxError extends PbxError {
  readonly meaning: Meaning;

  constructor(meaning: Meaning, message: string) {
    super(meaning === 'failed' ? 'error' : 'refused', `The PBX answered: ${withoutInput(message).slice(0, 200)}`);
    this.name = 'FreePbxError';
    this.meaning = meaning;
  }
}

export const says = (error: unknown, meaning: Meaning): boolean =>
  error instanceof FreePbxError && error.meaning === meaning;

/** For a query about one object: `.catch(orIfNone)`. */
export function orIfNone(error: unknown): undefined {
  if (!says(error, 'none')) throw error;
}

/** A change deletes before it creates, so the outcome is unknown unless FreePBX never started. */
export function throwFailedChange(error: unknown): never {
  const isNotBegun = error instanceof PbxError && (error.trouble === 'away' || error.trouble === 'refused');
  throw isNotBegun ? error : inTheMiddle(error);
}

const MEANINGS: readonly [RegExp, Meaning][] = [
  [/already in use/i, 'exists'],
  [/^Extension does not exist/i, 'missing'],
  // Of a mailbox, a ring group, an inbound route, follow-me.
  [/^(Sorry unable to fetch the status|Sorry, unable to find|Inbound Route not found|No record found)/i, 'none'],
  [/only numeric|not support this tech|license limit|please provide (password|the valid `destination`)/i, 'never'],
  // Destinations of follow-me.
  [/^(Invalid Route|Follow me allows only)/, 'never'],
  // A module that is not installed, or that the application may not use.
  [/^Cannot query field/, 'unsupported'],
  // Messages of the GraphQL server about a request that it did not start to execute.
  [/^(Syntax Error|Expected type|Field |Unknown argument|Variable |GraphQL Request)/, 'never'],
];

const ABOUT_FIELD =
  /Field (?:value\.\w+|"\w+") (?:of required type [\w!]+ was not provided|is not defined by type \w+)\.$/;

/** An error about a variable repeats the whole input, including secrets, so only the field's name is kept. */
function withoutInput(message: string): string {
  if (!/^Variable "\$\w+" got invalid value/.test(message)) return message;
  return ABOUT_FIELD.exec(message)?.[0] ?? 'it does not take a value of the input';
}

const meaningOf = (message: string): Meaning => MEANINGS.find(([words]) => words.test(message))?.[1] ?? 'failed';

export interface Token {
  readonly bearer: string;
  readonly until: number;
}

/** Tokens by instance and credentials. Concurrent calls share one token request. Tokens never leave the process. */
export type FreePbxTokens = Cache<string, Promise<Token>>;
/** FreePBX issues tokens for an hour. */
const TOKENS = { entries: 1000, bytes: 2 * 1024 * 1024, ttlMs: 3_600_000, weigh: () => 2000 };
export const openTokens = (): FreePbxTokens => new Cache(TOKENS);

/** Tokens are renewed this early, so that none expires in transit. */
const EARLY_MS = 60_000;

export interface FreePbxApi {
  /** Returns the value of the query's single field. */
  ask<T>(query: string, variables: object, context: CallContext): Promise<T>;
}

export async function sendChange(
  api: FreePbxApi,
  mutation: string,
  input: object,
  context: CallContext,
): Promise<void> {
  await context.willChange?.();
  await api.ask(mutation, { input }, context);
}

export function freePbxApi(
  secrets: Secrets,
  instance: Pick<Instance, 'uuid' | 'address'> & { readonly credentials?: string | null },
  tokens: FreePbxTokens,
): FreePbxApi {
  const base = `${instance.address.replace(/\/$/, '')}/admin/api/api`;
  // The key includes the credentials, so changed credentials take effect with the next call.
  const key = `${instance.uuid} ${instance.credentials ?? ''}`;

  async function newToken({ deadlineMs }: CallContext): Promise<Token> {
    const [id, secret] = splitCredentials(instance.credentials ? secrets.decrypt(instance.credentials) : '');
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope: 'gql' };
    const began = Date.now();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    const { status, text } = await callPbx(`${base}/token`, {
      method: 'POST',
      headers,
      body,
      deadlineMs,
      isRead: true,
    });
    if (status === 400 || status === 401) throw new AccessRefused();
    const { access_token: bearer, expires_in: seconds } = (parse(text) ?? {}) as Record<string, unknown>;
    if (status !== 200 || typeof bearer !== 'string') throw new PbxError('away', 'The PBX gave no token');
    return { bearer, until: began + Number(seconds) * 1000 - EARLY_MS };
  }

  async function token(context: CallContext): Promise<Token> {
    const known = await tokens.get(key)?.catch(() => undefined);
    if (known && known.until > Date.now()) return known;
    const asked = newToken(context).catch((error: unknown) => {
      tokens.delete(key);
      // Without a token, the PBX cannot have changed anything.
      throw error instanceof PbxError && error.trouble !== 'refused'
        ? new PbxError('away', `${error.message} (token)`, error)
        : error;
    });
    tokens.set(key, asked);
    return asked;
  }

  async function send(query: string, variables: object, context: CallContext): Promise<{ status: number; body: Body }> {
    const step = untilDeadline(context);
    const { bearer } = await token(step());
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` };
    const body = JSON.stringify({ query, variables });
    const { deadlineMs } = step();
    const isRead = query.startsWith('query');
    const { status, text } = await callPbx(`${base}/gql`, { method: 'POST', headers, body, deadlineMs, isRead });
    return { status, body: parse(text) as Body };
  }

  return {
    async ask<T>(query: string, variables: object, context: CallContext) {
      const step = untilDeadline(context);
      let reply = await send(query, variables, step());
      if (reply.status === 401) {
        tokens.delete(key);
        reply = await send(query, variables, step());
      }
      return valueOf<T>(reply);
    },
  };
}

type Body = { data?: Record<string, unknown>; errors?: { message?: string }[] } | undefined;

function valueOf<T>({ status, body }: { status: number; body: Body }): T {
  const said = body?.errors?.[0]?.message;
  if (said !== undefined) throw new FreePbxError(meaningOf(said), said);
  checkStatus(status);
  const [value] = Object.values(body?.data ?? {});
  if (typeof value !== 'object' || value === null) throw new PbxError('cut', 'The PBX sent an answer without data');
  checkDone(value);
  return value as T;
}

/** If a status was requested, anything but `true` is a failure: an update that does nothing returns null. */
function checkDone(value: object): void {
  const { status, message } = value as { status?: boolean | null; message?: string | null };
  if (status === true || !('status' in value)) return;
  throw new FreePbxError(meaningOf(message ?? ''), message ?? 'neither that it was done nor that it was not');
}

function checkStatus(status: number): void {
  if (status === 401 || status === 403) throw new AccessRefused();
  if (status !== 200) throw new PbxError(status < 500 ? 'refused' : 'error', `The PBX answered ${status}`);
}

/** PHP may print warnings before the JSON. */
const parse = (text: string): unknown => readJson(text.slice(Math.max(0, text.indexOf('{'))));
