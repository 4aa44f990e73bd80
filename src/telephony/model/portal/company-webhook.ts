/** A company's webhook: events are posted to it in order, signed, and retried until the receiver accepts them. */
import { Fault } from '../../../kernel/fault';
import { hmac } from '../../../kernel/secrets/signatures';
import type { CompanyId } from '../companies/company';

export const WEBHOOK_EVENTS = [
  'texting.message.new',
  'texting.message.delete',
  'texting.message.markAsRead',
  'texting.chat.new',
  'texting.chat.delete',
  'user_status_updated',
  'ring_group.updated',
  'ring_group.deleted',
  'number.updated',
  'number.deleted',
  'extension.forwards.updated',
  'call.started',
  'call.answered',
  'call.ended',
  'extension.registered',
  'extension.unregistered',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** The event that the owner sends to test a webhook. */
export const TEST_EVENT = 'webhook.test';

export interface CompanyWebhook {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly url: string;
  /** Empty means all events. */
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly position: number;
  /** Until then, events are signed with the previous secret as well. Null if there is none. */
  readonly previousEndsAt: Date | null;
  readonly createdAt: Date;
}

/** `dropped`: discarded by an operator. `failed`: the receiver never accepted it. */
export const DELIVERY_STATES = ['pending', 'done', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface WebhookDelivery {
  readonly id: number;
  readonly event: string;
  readonly body: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** The receiver's last answer, or why it could not be called. */
  readonly answer: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export const MAX_WEBHOOKS = 5;
/** How many done and how many failed deliveries are kept. */
export const KEPT_DELIVERIES = 100;
/** As many as a list shows. */
export const MAX_REPLAYED = KEPT_DELIVERIES;
/** About three quarters of an hour in all. */
export const MAX_ATTEMPTS = 9;
const FIRST_PAUSE_MS = 10_000;
export const pauseAfter = (attempts: number): number => FIRST_PAUSE_MS * 2 ** (attempts - 1);

/** A secret that was replaced may sign for a week at most. */
export const MAX_OVERLAP_HOURS = 168;
export const OVERLAP_HOURS = 24;

/** A timestamp and, for each secret, an HMAC of the timestamp and the body, the scheme that carriers use for us. */
export const signatureOf = (secrets: readonly string[], body: string, now: Date): string => {
  const seconds = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => `v1=${hmac('sha256', secret, `${seconds}.${body}`, 'hex')}`);
  return [`t=${seconds}`, ...signatures].join(',');
};

export const noWebhook = () => new Fault('missing', 'There is no such webhook of your company');
export const noDelivery = () => new Fault('missing', 'There is no such delivery of this webhook');
export const tooManyWebhooks = () => new Fault('invalid', `A company has at most ${MAX_WEBHOOKS} webhooks`);
export const notPublic = () => new Fault('invalid', 'url: must be a public address, not one inside of a network');

/** Whether the URL has a valid form. Whether its host is public is checked at every request. */
export function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}
