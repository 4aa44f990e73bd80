/** Adds, enables, tests and deletes a company's webhooks, and replays deliveries. Only the owner may. */
import { ensure } from '../../../kernel/fault';
import { newId, newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { companyWebhooks } from '../../actors/mailboxes';
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
  ensure(isWebhookUrl(url), invalid('url: must be an address of http or https, without a password'));
  ensure(!telephony.outbound.isNeverSent(url), notPublic());
  const { companyId } = by;
  const secret = newSecret(KEY_LENGTH);
  const position = await companyHead(telephony.mysql, companyId);
  const webhook = { id: newId(), companyId, url, events, isActive: true, position };
  await telephony.transaction(async ({ db }) => {
    await companies.lock(db, companyId);
    ensure((await webhooks.list(db, companyId)).length < MAX_WEBHOOKS, tooManyWebhooks());
    await webhooks.insert(db, { ...webhook, secret: telephony.secrets.encrypt(secret) });
    await audit.record(db, by, { action: 'webhook.create', object: webhook.id, detail: { host: new URL(url).host } });
  });
  return { webhook: { ...webhook, createdAt: telephony.clock.now() }, secret };
}

/** A webhook that is enabled again receives new events only, not those it missed. */
export async function switchWebhook(kernel: Storage, by: Caller, id: string, isActive: boolean): Promise<void> {
  const head = await companyHead(kernel.mysql, by.companyId);
  await change(kernel.transaction, by, id, async ({ db }, webhook) => {
    const position = isActive && !webhook.isActive ? head : webhook.position;
    await webhooks.activate(db, id, { isActive, position });
    await audit.record(db, by, { action: 'webhook.update', object: id, detail: { active: isActive } });
  });
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

export const replayDelivery = (
  transaction: Transact,
  by: Caller,
  { webhookId, id }: { readonly webhookId: string; readonly id: number },
): Promise<void> =>
  change(transaction, by, webhookId, async (tx) => {
    ensure(await deliveries.replay(tx.db, webhookId, id), noDelivery());
    companyWebhooks.at(companyTenant(by.companyId), webhookId).send(tx, WRITTEN);
  });

// oxlint-disable-next-line max-params -- the caller, the webhook and the change
async function change(
  transaction: Transact,
  by: Caller,
  id: string,
  work: (tx: Tx, webhook: CompanyWebhook) => Promise<void>,
): Promise<void> {
  ensure(by.isOwner, notOwner());
  await transaction(async (tx) => {
    const webhook = await webhooks.lock(tx.db, id);
    ensure(webhook?.companyId === by.companyId, noWebhook());
    await work(tx, webhook);
  });
}
