/** Adds, changes, tests and deletes a company's webhooks, and replays deliveries. Only the owner may. */
import { ensure } from '../../../kernel/fault';
import { newId, newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { companyWebhooks } from '../../actors/mailboxes';
import { changesBetween } from '../../model/changes';
import { companyTenant, KEY_LENGTH } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { invalid, notOwner } from '../../model/faults';
import {
  isWebhookUrl,
  MAX_WEBHOOKS,
  noDelivery,
  notPublic,
  noWebhook,
  TEST_EVENT,
  tooManyWebhooks,
  type CompanyWebhook,
  type WebhookEvent,
} from '../../model/portal/company-webhook';
import type { Telephony } from '../../parts';
import { companyHead } from '../../queries/companies/list-events';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as webhooks from '../../store/portal/company-webhooks';
import * as deliveries from '../../store/portal/webhook-deliveries';

const HOUR_MS = 3_600_000;

export interface WebhookDraft {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

/** The secret is shown only once. Deliveries start with the next event. */
export async function createWebhook(
  telephony: Storage & Pick<Telephony, 'outbound'>,
  by: Caller,
  { url, events }: WebhookDraft,
): Promise<{ readonly webhook: CompanyWebhook; readonly secret: string }> {
  ensure(by.isOwner, notOwner());
  checkUrl(telephony, url);
  const { companyId } = by;
  const secret = newSecret(KEY_LENGTH);
  const position = await companyHead(telephony.mysql, companyId);
  const webhook = { id: newId(), companyId, url, events, isActive: true, position, previousEndsAt: null };
  await telephony.transaction(async ({ db }) => {
    await companies.lock(db, companyId);
    ensure((await webhooks.list(db, companyId)).length < MAX_WEBHOOKS, tooManyWebhooks());
    await webhooks.insert(db, { ...webhook, secret: telephony.secrets.encrypt(secret) });
    await audit.record(db, by, { action: 'webhook.create', object: webhook.id, detail: { host: new URL(url).host } });
  });
  return { webhook: { ...webhook, createdAt: telephony.clock.now() }, secret };
}

function checkUrl({ outbound }: Pick<Telephony, 'outbound'>, url: string): void {
  ensure(isWebhookUrl(url), invalid('url: must be an address of http or https, without a password'));
  ensure(!outbound.isNeverSent(url), notPublic());
}

export interface WebhookChange {
  readonly url: string | undefined;
  readonly events: readonly WebhookEvent[] | undefined;
  readonly isActive: boolean | undefined;
}

/**
 * What waits is posted to the new address. A webhook that is enabled again receives new events only, not those it
 * missed.
 */
export async function updateWebhook(
  telephony: Storage & Pick<Telephony, 'outbound'>,
  by: Caller,
  id: string,
  wanted: WebhookChange,
): Promise<void> {
  ensure(by.isOwner, notOwner());
  if (wanted.url !== undefined) checkUrl(telephony, wanted.url);
  const head = await companyHead(telephony.mysql, by.companyId);
  await change(telephony.transaction, by, id, async ({ db }, before) => {
    const after = {
      url: wanted.url ?? before.url,
      events: wanted.events ?? before.events,
      isActive: wanted.isActive ?? before.isActive,
    };
    const position = after.isActive && !before.isActive ? head : before.position;
    await webhooks.update(db, id, { ...after, position });
    const detail = { changes: changesBetween(trailed(before), trailed(after)) };
    await audit.record(db, by, { action: 'webhook.update', object: id, detail });
  });
}

/** The rest of an address may contain a secret. */
const trailed = ({ url, events, isActive }: Pick<CompanyWebhook, 'url' | 'events' | 'isActive'>) => ({
  host: new URL(url).host,
  events: events.join(', '),
  active: isActive,
});

/** The new secret is shown only once. For the overlap, events are signed with both, so that no receiver misses any. */
export async function rotateSecret(
  kernel: Storage,
  by: Caller,
  id: string,
  overlapHours: number,
): Promise<{ readonly secret: string; readonly previousEndsAt: Date | null }> {
  const secret = newSecret(KEY_LENGTH);
  const previousEndsAt = overlapHours === 0 ? null : new Date(kernel.clock.now().getTime() + overlapHours * HOUR_MS);
  await change(kernel.transaction, by, id, async ({ db }, before) => {
    await webhooks.replaceSecret(db, id, {
      secret: kernel.secrets.encrypt(secret),
      previous: previousEndsAt ? { secret: before.secret, endsAt: previousEndsAt } : undefined,
    });
    await audit.record(db, by, { action: 'webhook.rotate', object: id, detail: { overlap_hours: overlapHours } });
  });
  return { secret, previousEndsAt };
}

export const deleteWebhook = (transaction: Transact, by: Caller, id: string): Promise<void> =>
  change(transaction, by, id, async ({ db }) => {
    await webhooks.remove(db, id);
    await audit.record(db, by, { action: 'webhook.delete', object: id });
  });

export const tryWebhook = (transaction: Transact, by: Caller, id: string): Promise<void> =>
  change(transaction, by, id, async (tx) => {
    const body = JSON.stringify({ name: TEST_EVENT, company_id: by.companyId, payload: {} });
    await deliveries.insert(tx.db, id, [{ event: TEST_EVENT, body }]);
    companyWebhooks.at(companyTenant(by.companyId), id).send(tx, WRITTEN);
  });

/** Those that are pending already stay as they are. Returns how many are sent again, in the order of their events. */
export const replayDeliveries = (
  transaction: Transact,
  by: Caller,
  { webhookId, ids }: { readonly webhookId: string; readonly ids: readonly number[] },
): Promise<number> =>
  change(transaction, by, webhookId, async (tx) => {
    const replayed = await deliveries.replay(tx.db, webhookId, ids);
    ensure(replayed > 0, noDelivery());
    companyWebhooks.at(companyTenant(by.companyId), webhookId).send(tx, WRITTEN);
    return replayed;
  });

// oxlint-disable-next-line max-params -- the caller, the webhook and the change
async function change<T>(
  transaction: Transact,
  by: Caller,
  id: string,
  work: (tx: Tx, webhook: webhooks.SealedWebhook) => Promise<T>,
): Promise<T> {
  ensure(by.isOwner, notOwner());
  return transaction(async (tx) => {
    const webhook = await webhooks.lock(tx.db, id);
    ensure(webhook?.companyId === by.companyId, noWebhook());
    return work(tx, webhook);
  });
}
