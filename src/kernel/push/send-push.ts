/** Hands one push to the service of a device: encrypted for the device (RFC 8291), signed by the server (RFC 8292). */
import { createHash } from 'node:crypto';
import type * as WebPush from 'web-push';
import type { OutboundHttp } from '../outbound/outbound-http';
import { OutboundError, type OutboundTrouble } from '../outbound/outbound-error';
import type { PushAddress } from './push-address';
import type { PushKeys } from './push-keys';

/** What sending takes. */
export interface Push {
  readonly keys: () => Promise<PushKeys>;
  readonly outbound: OutboundHttp;
  /** Whom a push service may turn to: a URL of https or mailto. */
  readonly contact: string;
}

export interface PushMessage {
  readonly payload: object;
  /** While a device is away, the newest push about a subject replaces those before it. */
  readonly subject: string;
  /** For so long the service keeps it for a device that is away. */
  readonly keepSeconds: number;
  /** Urgent ones wake a sleeping device. */
  readonly isUrgent: boolean;
}

export type PushOutcome =
  | { readonly kind: 'taken' }
  /** The subscription has ended. */
  | { readonly kind: 'gone' }
  /** It may be taken later. */
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs?: number }
  /** It never will be. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Services answer with a line at most. */
const LIMITS = { bodyBytes: 4096, tooLarge: 'cut', totalMs: 10_000, redirects: 1 } as const;
/** The length that RFC 8030 allows for a topic. */
const TOPIC_LENGTH = 32;

export async function sendPush(
  { keys, outbound, contact }: Push,
  { endpoint, p256dh, auth }: PushAddress,
  { payload, subject, keepSeconds, isUrgent }: PushMessage,
  signal?: AbortSignal,
): Promise<PushOutcome> {
  // Loaded with the first push: most processes never send one.
  const { generateRequestDetails } = require('web-push') as typeof WebPush;
  const vapidDetails = { subject: contact, ...(await keys()) };
  const request = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
    vapidDetails,
    TTL: keepSeconds,
    urgency: isUrgent ? 'high' : 'normal',
    topic: createHash('sha256').update(subject).digest('base64url').slice(0, TOPIC_LENGTH),
    contentEncoding: 'aes128gcm',
  });
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  try {
    const written = { url: endpoint, method: 'POST' as const, headers, body: request.body ?? undefined };
    const response = await outbound.send({ ...written, limits: LIMITS, ...(signal ? { signal } : {}) });
    return outcomeOf(response.status, response.headers['retry-after']);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const kind = FOR_EVER.has(error.trouble) ? 'refused' : 'later';
    return { kind, reason: error.message };
  }
}

const FOR_EVER: ReadonlySet<OutboundTrouble> = new Set(['bad-url', 'forbidden']);
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** The service is busy, or does not say whose fault it is. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

export function outcomeOf(status: number, retryAfter?: string): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (GONE.has(status)) return { kind: 'gone' };
  const reason = `The push service answered ${status}`;
  if (status < 500 && !PASSING.has(status)) return { kind: 'refused', reason };
  const afterMs = pauseIn(retryAfter);
  return { kind: 'later', reason, ...(afterMs === undefined ? {} : { afterMs }) };
}

const MAX_PAUSE_MS = 600_000;

/** A service may also give a date, which is rare and not worth trusting two clocks. */
const pauseIn = (seconds: string | undefined): number | undefined =>
  seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Math.min(Number(seconds) * 1000, MAX_PAUSE_MS) : undefined;
