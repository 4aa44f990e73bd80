/** Security headers of every response. As a page it could load nothing; real pages set policies of their own. */
import type { ServerResponse } from 'node:http';

export const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Chat clients on other origins read the API and show uploads.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Headers as they are set: with those that never change, this is most of what a short request sets. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export const headerList = (headers: Readonly<Record<string, string>>): HeaderList => Object.entries(headers);

/** As Koa's `set` does, without looking at each name and value again. */
export function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}
