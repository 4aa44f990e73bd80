/** Security headers of every response. As a page it could load nothing; real pages set policies of their own. */
import type { Middleware } from 'koa';

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

export const setSecurityHeaders: Middleware = (ctx, next) => {
  ctx.set(SECURITY_HEADERS);
  return next();
};
