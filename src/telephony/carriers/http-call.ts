/** Calls a carrier's API with a deadline, and classifies failures by whether the text may have been accepted. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { z } from 'zod';
import { exchangeHttp, isUnreachable, Late } from '../../kernel/outbound/http-exchange';
import { CarrierAccessRefused, CarrierError, type CarrierTrouble } from './carrier';

export interface ApiCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadlineMs: number;
}

export interface ApiRefusal {
  readonly code: string;
  readonly text: string;
}

/** Error texts are truncated here. No carrier sends longer ones. */
const MAX_TEXT_LENGTH = 300;
/** Answers of carriers have a few kilobytes. */
const MAX_BYTES = 1024 * 1024;

/** Idle connections are closed before a carrier closes them, because a text sent into a closed one may be lost. */
const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: 4, timeout: 4000 };
const AGENTS = { 'http:': new HttpAgent(AGENT_OPTIONS), 'https:': new HttpsAgent(AGENT_OPTIONS) };

/** Reads a 2xx answer by one schema, and the carrier's error in any other answer by another. */
export async function callApi<Answer>(
  call: ApiCall,
  { answer, refusal }: { readonly answer: z.ZodType<Answer>; readonly refusal: z.ZodType<ApiRefusal> },
): Promise<Answer> {
  const { status, body } = await exchange(call);
  if (status >= 200 && status < 300) {
    const read = answer.safeParse(body);
    if (read.success) return read.data;
    throw new CarrierError('unknown', 'no_answer', 'The carrier sent an answer without sense');
  }
  const words = refusal.safeParse(body).data;
  const text = words?.text.slice(0, MAX_TEXT_LENGTH) ?? `The carrier answered ${status}`;
  const Refusal = status === 401 ? CarrierAccessRefused : CarrierError;
  throw new Refusal(troubleOf(status), words?.code ?? String(status), text);
}

/** 408, 429 and 503 mean that nothing was accepted. Other server errors leave the outcome unknown. */
function troubleOf(status: number): CarrierTrouble {
  if (status === 429 || status === 503 || status === 408) return 'later';
  return status >= 500 ? 'unknown' : 'refused';
}

async function exchange({ url, deadlineMs, ...asked }: ApiCall): Promise<{ status: number; body: unknown }> {
  try {
    const to = new URL(url);
    const agent = AGENTS[to.protocol === 'https:' ? 'https:' : 'http:'];
    const call = { ...asked, method: 'POST', deadlineMs };
    const { status, text } = await exchangeHttp(to, call, { agent, maxBytes: MAX_BYTES });
    return { status, body: parsed(text) };
  } catch (error) {
    throw lost(error, deadlineMs);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lost(error: unknown, deadlineMs: number): CarrierError {
  const isUnsent = error instanceof Late ? !error.isConnected : isUnreachable(error);
  if (isUnsent) return new CarrierError('later', 'unreachable', 'The carrier cannot be reached', error);
  return error instanceof Late
    ? new CarrierError('unknown', 'timeout', `The carrier did not answer within ${deadlineMs} ms`, error)
    : new CarrierError('unknown', 'cut', 'The carrier cut the connection', error);
}
