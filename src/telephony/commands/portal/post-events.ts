/** Posts a company's events to its webhooks, in order. */
import { noteFarEnd } from '../../../kernel/far-ends/far-end-notes';
import type { Storage, Kernel } from '../../../kernel/kernel';
import { dead, done, retry, postponed, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Tx } from '../../../kernel/mysql/transaction';
import { OutboundError } from '../../../kernel/outbound/outbound-error';
import { signatureOf, type DeliveryState, type WebhookDelivery } from '../../model/portal/company-webhook';
import type { Keyspace } from '../../../kernel/redis/connections';
import type { Telephony } from '../../parts';
import { companyHead, findMissed } from '../../queries/companies/list-events';
import * as webhooks from '../../store/portal/company-webhooks';
import * as deliveries from '../../store/portal/webhook-deliveries';

export { findBehind } from '../../store/portal/company-webhooks';

const AT_ONCE = 100;
/** With this many deliveries pending, events stay in the company's event log, which keeps them for a week. */
const MAX_WAITING = 1000;
const LIMITS = { bodyBytes: 64 * 1024, totalMs: 10_000, idleMs: 10_000, redirects: 0, tooLarge: 'cut' } as const;
/** Delay for deliveries of a webhook that was disabled after its events were read. */
const SWITCHED_OFF_MS = 1000;

/** Turns events into deliveries and advances the position in one transaction; a second process finds nothing new. */
export async function takeEvents(kernel: Storage & Pick<Kernel, 'log'>, webhookId: string): Promise<void> {
  const before = await webhooks.byId(kernel.mysql, webhookId);
  if (!before?.isActive || (await deliveries.countPending(kernel.mysql, webhookId)) >= MAX_WAITING) return;
  const { companyId, position } = before;
  const missed = await findMissed(kernel, companyId, position, AT_ONCE);
  // If the missed events have expired from the log, the webhook skips to the newest.
  const events = missed?.events ?? [];
  const reached = missed ? (events.at(-1)?.seq ?? position) : await companyHead(kernel.mysql, companyId);
  if (reached === position) return;
  await kernel.transaction(async ({ db }) => {
    const webhook = await webhooks.lock(db, webhookId);
    if (webhook?.position !== position) return;
    const wanted = events.filter(({ name }) => webhook.events.length === 0 || webhook.events.includes(name));
    await deliveries.insert(
      db,
      webhookId,
      wanted.map((event) => ({ event: event.name, body: JSON.stringify({ ...event, company_id: companyId }) })),
    );
    await webhooks.move(db, webhookId, reached);
  });
}

/** Deletes the oldest deliveries in this state. */
export const forgetOldest = ({ db }: Tx, webhookId: string, state: DeliveryState): Promise<void> =>
  deliveries.trim(db, webhookId, state);

/** Errors that no retry can fix, because the URL may never be called. */
const FINAL: ReadonlySet<string> = new Set(['bad-url', 'forbidden']);

/** While the previous secret is kept, the receiver may check with either. */
const validSecrets = ({ secret, previousSecret, previousEndsAt }: webhooks.SealedWebhook, now: Date): string[] =>
  previousSecret !== null && previousEndsAt !== null && now < previousEndsAt ? [secret, previousSecret] : [secret];

export async function postEvent(
  telephony: Storage & Keyspace & Pick<Telephony, 'log' | 'outbound'>,
  { signal }: MailTurn,
  { at, attempts, body: { id, body, event } }: Mail<WebhookDelivery>,
): Promise<Ending> {
  const { clock, mysql, secrets, outbound } = telephony;
  const webhook = await webhooks.byId(mysql, at);
  if (!webhook?.isActive) return postponed(null, SWITCHED_OFF_MS);
  const valid = validSecrets(webhook, clock.now());
  const headers = {
    'Content-Type': 'application/json',
    'X-Partyline-Event': event,
    // The same for every attempt, so that the receiver can drop duplicates.
    'X-Partyline-Delivery': String(id),
    'X-Signature': signatureOf(
      valid.map((each) => secrets.decrypt(each)),
      body,
      clock.now(),
    ),
  };
  const farEnd = { kind: 'webhook', id: at } as const;
  try {
    const { status } = await outbound.send({ url: webhook.url, method: 'POST', headers, body, limits: LIMITS, signal });
    const answer = `Status ${status}`;
    const isTaken = status >= 200 && status <= 299;
    await noteFarEnd(telephony, farEnd, isTaken ? { wasFailing: attempts > 0 } : { error: answer });
    if (!isTaken) return retry(answer);
    return done({ set: { answer }, write: (tx) => forgetOldest(tx, at, 'done') });
  } catch (error) {
    if (error instanceof OutboundError) await noteFarEnd(telephony, farEnd, { error: error.message });
    if (!(error instanceof OutboundError) || !FINAL.has(error.trouble)) throw error;
    return dead(error.message);
  }
}
