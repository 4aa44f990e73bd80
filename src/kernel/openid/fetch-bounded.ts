/** Fetches a small document from another server: a larger one, or a redirect, is refused. */
import type { CustomFetchOptions } from 'openid-client';

const MOST_BYTES = 512 * 1024;

/** The signal among the options is its deadline. */
export async function fetchBounded(url: string, options: CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit);
  const { status, headers, body } = response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > MOST_BYTES) throw new Error(`The answer is larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  // Without a body where none is allowed.
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers: plainHeaders(headers) });
}

/** The body was unpacked already. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  return plain;
}
