/** Posts the events of a company to its own address, in order. What nobody takes is tried again, and kept in the end. */
import { tenantOf } from '../../../kernel/actor/address';
import { withLease } from '../../../kernel/actor/lease';
import { headsInOutbox } from '../../../kernel/event-log/sources';
import { OutboundError } from '../../../kernel/outbound/outbound-error';
import { postEvents } from '../../jobs';
import { companyTenant } from '../../model/company';
import { MOST_ATTEMPTS, pauseAfter, signatureOf, type WebhookDelivery } from '../../model/company-webhook';
import type { Telephony } from '../../parts';
import { companyHead, findMissed } from '../../queries/list-events';
import * as webhooks from '../../store/company-webhooks';
import * as deliveries from '../../store/webhook-deliveries';

const TENANT = tenantOf('tel', 'portal');
const AT_ONCE = 100;
/** Beyond so many that wait, events stay in the company's log, which is kept for a week. */
const MOST_WAITING = 1000;
const LIMITS = { bodyBytes: 64 * 1024, totalMs: 10_000, idleMs: 10_000, redirects: 0, tooLarge: 'cut' } as const;
const MOST_WOKEN = 1000;

/** Finds webhooks that are behind their company's events, or that are to try something again. */
export async function wakeWebhooks({ kernel }: Telephony): Promise<void> {
  const active = await webhooks.active(kernel.mysql);
  const heads = await headsInOutbox(kernel, [...new Set(active.map(({ companyId }) => companyTenant(companyId)))]);
  const behind = active.filter(({ companyId, position }) => position < (heads.get(companyTenant(companyId)) ?? 0));
  const due = await deliveries.dueWebhooks(kernel.mysql, MOST_WOKEN);
  for (const webhookId of new Set([...behind.map(({ id }) => id), ...due])) {
    await kernel.jobs.nudge(postEvents, `webhook-${webhookId}`, { webhookId });
  }
}

export async function postEventsOf(telephony: Telephony, webhookId: string, draining: AbortSignal): Promise<void> {
  const { kernel } = telephony;
  await withLease(kernel, { tenant: TENANT, kind: 'webhook', id: webhookId }, async (lost) => {
    const signal = AbortSignal.any([draining, lost]);
    while (!signal.aborted) {
      await takeEvents(telephony, webhookId);
      const webhook = await webhooks.byId(kernel.mysql, webhookId);
      const delivery = webhook?.isActive ? await deliveries.next(kernel.mysql, webhookId) : undefined;
      if (!webhook || !delivery) return;
      await attempt(telephony, { webhook, delivery, signal });
    }
  });
}

/** Events become deliveries, and the position moves with them: of two processes, the second finds nothing new. */
async function takeEvents({ kernel }: Telephony, webhookId: string): Promise<void> {
  const before = await webhooks.byId(kernel.mysql, webhookId);
  if (!before?.isActive || (await deliveries.countPending(kernel.mysql, webhookId)) >= MOST_WAITING) return;
  const { companyId, position } = before;
  const missed = await findMissed(kernel, companyId, position, AT_ONCE);
  // Events that are no longer kept cannot be posted: it goes on with the newest.
  const events = missed?.events ?? [];
  const reached = missed ? (events.at(-1)?.seq ?? position) : await companyHead(kernel, companyId);
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

interface Attempt {
  readonly webhook: webhooks.SealedWebhook;
  readonly delivery: WebhookDelivery;
  readonly signal: AbortSignal;
}

async function attempt(telephony: Telephony, { webhook, delivery, signal }: Attempt): Promise<void> {
  const { mysql } = telephony.kernel;
  const { id } = delivery;
  const { isTaken, isFinal, answer } = await post(telephony, { webhook, delivery, signal });
  const attempts = delivery.attempts + 1;
  if (isTaken) await deliveries.finish(mysql, id, { state: 'done', answer });
  else if (isFinal || attempts >= MOST_ATTEMPTS) await deliveries.finish(mysql, id, { state: 'failed', answer });
  else return deliveries.postpone(mysql, id, answer, pauseAfter(attempts));
  await deliveries.trim(mysql, webhook.id, isTaken ? 'done' : 'failed');
}

interface Outcome {
  readonly isTaken: boolean;
  /** Trying again would change nothing. */
  readonly isFinal: boolean;
  readonly answer: string;
}

/** These say that an address is none that can be asked. */
const FINAL: ReadonlySet<string> = new Set(['bad-url', 'forbidden']);

async function post(
  { kernel, outbound }: Telephony,
  { webhook, delivery: { id, body, event }, signal }: Attempt,
): Promise<Outcome> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Partyline-Event': event,
    // The same for every attempt, so that what was taken twice can be recognised.
    'X-Partyline-Delivery': String(id),
    'X-Signature': signatureOf(kernel.secrets.decrypt(webhook.secret), body, kernel.clock.now()),
  };
  try {
    const { status } = await outbound.send({ url: webhook.url, method: 'POST', headers, body, limits: LIMITS, signal });
    return { isTaken: status >= 200 && status <= 299, isFinal: false, answer: `Status ${status}` };
  } catch (error) {
    // A process that ends says nothing of the other end: another one asks again.
    if (!(error instanceof OutboundError) || signal.aborted) throw error;
    return { isTaken: false, isFinal: FINAL.has(error.trouble), answer: error.message.slice(0, 300) };
  }
}
