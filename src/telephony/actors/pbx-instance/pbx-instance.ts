/**
 * PbxInstance: runs one order at a time per PBX, in order of arrival. Mail only says that there may be work. The work
 * itself is in the orders, the reload state, and the mails that request a comparison.
 */
import { Busy } from '../../../kernel/jobs/busy';
import { done, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn, MailWork } from '../../../kernel/mailbox/work';
import type { Replies } from '../../../kernel/replies';
import type { Answered, Operation, ProvisioningSettings } from '../../model/extensions/operation';
import { findWork, MAX_AT_ONCE, workOf, workOn, type Work } from '../../store/extensions/due-operations';
import type { PbxMail } from '../mailboxes';
import { settleOne } from './carry-out';
import { compare, NO_INSTANCE } from './compare';
import type { PbxDrivers } from './drivers';
import { publish } from './finish';
import { lookAfterReload } from './reload';
import { openBreaker, type TurnResources } from './turn-resources';

/** The parts of the product that PBX turns use. */
export interface PbxParts {
  readonly settings: ProvisioningSettings;
  readonly drivers: PbxDrivers;
  readonly answers: Replies<Answered>;
}

export const lookAfterPbx = (parts: PbxParts): MailWork<PbxMail> => ({
  reads: workOn,
  async handle(turn, mails) {
    const resources = await carryOutAll(parts, turn);
    if (!resources) return mails.map(({ body }) => done(body.isComparison ? { answer: NO_INSTANCE } : {}));
    await lookAfterReload(resources);
    return endingsOf(resources, mails);
  },
});

/** Returns undefined if the instance was removed. */
async function carryOutAll(parts: PbxParts, turn: MailTurn): Promise<TurnResources | undefined> {
  for (let isFirst = true; ; isFirst = false) {
    const { readAt, instance, due } = await nextWork(turn, isFirst);
    if (!instance) return undefined;
    const { settings, drivers } = parts;
    const breaker = openBreaker(turn, instance, settings);
    const resources = { turn, settings, instance, driver: drivers.of(instance), breaker, readAt };
    for (const operation of due) await carryOut(parts, resources, operation);
    // Orders that arrived meanwhile have sent their own mail.
    if (due.length < MAX_AT_ONCE) return resources;
  }
}

/** `readAt` is taken before the read, because the operations' remaining time counts from it. */
async function nextWork(
  { kernel, at, first }: MailTurn,
  isFirst: boolean,
): Promise<Work & { readonly readAt: number }> {
  if (isFirst && first) return { readAt: first.requestedAt, ...workOf(first.rows) };
  const readAt = Date.now();
  return { readAt, ...(await findWork(kernel.mysql, at)) };
}

async function carryOut({ answers }: PbxParts, resources: TurnResources, operation: Operation): Promise<void> {
  if (resources.turn.isOver()) throw new Busy('the lease is lost, or the process ends');
  const came = await settleOne(resources, operation);
  await publish(answers, [came ?? operation]);
}

/** A comparison request gets the report of a comparison that began after it. */
async function endingsOf(resources: TurnResources, mails: readonly Mail<PbxMail>[]): Promise<Ending[]> {
  const looked = done();
  if (!mails.some(({ body }) => body.isComparison)) return mails.map(() => looked);
  const compared = done({ answer: await compare(resources) });
  return mails.map(({ body }) => (body.isComparison ? compared : looked));
}
