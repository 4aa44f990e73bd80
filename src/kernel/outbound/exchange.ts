/** Sends one request on its own connection and reads the response. */
import {
  request as requestHttp,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv4, type LookupFunction } from 'node:net';
import { hostOf, portOf, type Hop } from './hop';
import { type OutboundLimits, OutboundError, type OutboundTrouble } from './outbound-error';
import { ACCEPTED_ENCODINGS, readBody } from './read-body';
import { reachable, type Reach } from './resolve';

interface Step {
  readonly hop: Hop;
  readonly limits: OutboundLimits;
  readonly reach: Reach;
  /** Ends the whole request. */
  readonly ending: AbortController;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export async function exchange({ hop, limits, reach, ending }: Step): Promise<Answer> {
  const { signal } = ending;
  let begun: ClientRequest | undefined;
  try {
    signal.throwIfAborted();
    const addresses = await reachable({ host: hostOf(hop.url), port: portOf(hop.url) }, reach, signal);
    signal.throwIfAborted();
    begun = begin(hop, { ...optionsOf(limits, signal), lookup: lookupOf(addresses) });
    begun.on('timeout', () => ending.abort());
    const response = await answerTo(begun);
    const { statusCode, headers } = response;
    const bound = { bytes: limits.bodyBytes, tooLarge: limits.tooLarge };
    // Nobody reads the body of a redirect.
    const isRedirect = headers.location !== undefined && statusCode! >= 300;
    return { status: statusCode!, headers, body: isRedirect ? NO_BODY : await readBody(response, bound) };
  } catch (error) {
    throw readable(error, signal);
  } finally {
    begun?.destroy();
  }
}

const NO_BODY = Buffer.alloc(0);

/** No connection is reused: it could lead to an address that was allowed for another name. */
const optionsOf = ({ headerBytes, idleMs }: OutboundLimits, signal: AbortSignal): RequestOptions => ({
  agent: false,
  maxHeaderSize: headerBytes,
  timeout: idleMs,
  signal,
});

function begin({ url, method, headers, body }: Hop, options: RequestOptions): ClientRequest {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const begun = request(url, {
    ...options,
    method,
    headers: {
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...headers,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
  });
  begun.end(body);
  return begun;
}

/** Gives Node the checked addresses, all or one as it asks. Node never calls it if the host is an address. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  return (_host, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // An error after the response has begun reaches the reader of the body.
    request.on('error', reject);
    request.on('response', resolve);
    // Without a listener Node cuts the connection silently.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new OutboundError('broken', 'The server changed to another protocol'));
    });
  });
}

const TROUBLES: Readonly<Record<string, OutboundTrouble>> = {
  ENOTFOUND: 'unknown-host',
  HPE_HEADER_OVERFLOW: 'too-large',
};

function readable(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  if (signal.aborted) return new OutboundError('timeout', 'The server did not answer in time', error);
  const { code = '' } = error as { code?: string };
  if (Object.hasOwn(TROUBLES, code)) return new OutboundError(TROUBLES[code]!, 'The answer cannot be read', error);
  const isBroken = code.startsWith('HPE_') || code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT');
  return isBroken
    ? new OutboundError('broken', 'The answer cannot be read', error)
    : new OutboundError('unreachable', 'The server cannot be reached', error);
}
