/** Fetches from OpenID providers, which organisations' administrators name: only public addresses, with limits. */
import type { IncomingHttpHeaders } from 'node:http';
import type { CustomFetch } from 'openid-client';
import type { OutboundHttp } from '../outbound/outbound-http';

const MAX_BYTES = 512 * 1024;

/** The signal in the options ends a request early; redirects are refused. */
export const providerFetch =
  (outbound: OutboundHttp, callMs: number): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await outbound.send({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      limits: { bodyBytes: MAX_BYTES, redirects: 0, totalMs: callMs, idleMs: callMs },
      ...(typeof body === 'string' || body instanceof URLSearchParams ? { body: body.toString() } : {}),
      ...(signal ? { signal } : {}),
    });
    // No body for statuses that allow none.
    const content = answer.body.length === 0 ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: unpackedHeaders(answer.headers) });
  };

/** The body is already decompressed. */
function unpackedHeaders({ 'content-type': type }: IncomingHttpHeaders): HeadersInit {
  return type === undefined ? {} : { 'content-type': type };
}
