/** Calls a carrier's API with a deadline, and classifies failures by whether the text may have been accepted. */
import { CarrierError, type CarrierTrouble } from './carrier';

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
const LONGEST_TEXT = 300;

/** Returns the body of a 2xx answer. `wordsOf` extracts the carrier's error from any other body. */
export async function callApi(
  call: ApiCall,
  wordsOf: (body: unknown) => Partial<ApiRefusal> | undefined,
): Promise<unknown> {
  const { status, body } = await exchange(call);
  if (status >= 200 && status < 300) {
    if (body === undefined) throw new CarrierError('unknown', 'no_answer', 'The carrier sent an answer without sense');
    return body;
  }
  const words = wordsOf(body);
  const text = words?.text?.slice(0, LONGEST_TEXT) ?? `The carrier answered ${status}`;
  throw new CarrierError(troubleOf(status), words?.code ?? String(status), text);
}

/** 408, 429 and 503 mean that nothing was accepted. Other server errors leave the outcome unknown. */
function troubleOf(status: number): CarrierTrouble {
  if (status === 429 || status === 503 || status === 408) return 'later';
  return status >= 500 ? 'unknown' : 'refused';
}

async function exchange({ url, headers, body, deadlineMs }: ApiCall): Promise<{ status: number; body: unknown }> {
  try {
    const signal = AbortSignal.timeout(deadlineMs);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
    return { status: response.status, body: parsed(await response.text()) };
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

/** Codes that mean nothing was sent, because no connection was made. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function lost(error: unknown, deadlineMs: number): CarrierError {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  if (name === 'TimeoutError') {
    return new CarrierError('unknown', 'timeout', `The carrier did not answer within ${deadlineMs} ms`, error);
  }
  return AWAY.has(cause?.code ?? '')
    ? new CarrierError('later', 'unreachable', 'The carrier cannot be reached', error)
    : new CarrierError('unknown', 'cut', 'The carrier cut the connection', error);
}
