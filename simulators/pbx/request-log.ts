// Keeps the last changing requests, so that tests can check what reached the PBX and how often. Secrets are masked.
import type { JsonObject } from './store';

const KEPT_REQUESTS = 1000;
const KEPT_KEYS = 10_000;
const SECRET_FIELDS = new Set(['secret', 'password', 'voicemail_vmpwd', 'extPassword', 'vmPassword', 'umPassword']);

export interface LoggedRequest {
  at: string;
  method: string;
  instance: string;
  number: string | null;
  idempotency_key: string | null;
  /** How many requests had this key so far, including this one. */
  key_requests: number;
  /** The fault that hit it, if one did. */
  fault: string | null;
  body: unknown;
}

export type Arrival = Omit<LoggedRequest, 'at' | 'key_requests' | 'body'> & { body?: JsonObject };

export interface RequestLog {
  add(arrival: Arrival): void;
  list(instance: string | null): LoggedRequest[];
}

export function openRequestLog(): RequestLog {
  const requests: LoggedRequest[] = [];
  const keys = new Map<string, number>();

  function countKey(key: string | null): number {
    if (key === null) return 1;
    const count = (keys.get(key) ?? 0) + 1;
    // Deleted first, so that the map is ordered by last use and the oldest key is evicted.
    keys.delete(key);
    keys.set(key, count);
    if (keys.size > KEPT_KEYS) keys.delete(keys.keys().next().value ?? '');
    return count;
  }

  return {
    add: ({ body, ...arrival }) => {
      requests.push({
        at: new Date().toISOString(),
        ...arrival,
        key_requests: countKey(arrival.idempotency_key),
        body: mask(body ?? null),
      });
      if (requests.length > KEPT_REQUESTS) requests.shift();
    },
    list: (instance) => requests.filter((request) => instance === null || request.instance === instance.toLowerCase()),
  };
}

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_FIELDS.has(name) ? '***' : mask(inner)]),
  );
}
