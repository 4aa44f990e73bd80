/** One call to a carrier's API: with a deadline, and every way of failing told apart by whether the text was taken. */
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

/** An answer is read up to here; none of the carriers says more. */
const LONGEST_TEXT = 300;

/** The body of a 2xx answer. The given function finds the carrier's own words in any other. */
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

/** 429 and 503 say that nothing was taken; other errors of a server leave it open. */
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

/** Nothing was sent to an address that nobody answers at. */
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
