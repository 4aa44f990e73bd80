/** Wakes mail that no worker looks at, because a pause is over, Redis was away or a worker died; forgets what is long over. */
import { sendMail } from '../../jobs';
import type { Chat } from '../../parts';
import * as invitations from '../../store/invitations';
import * as mails from '../../store/mails';
import * as resets from '../../store/password-resets';

const DAY_MS = 24 * 3_600_000;
/** Until then operators can look at a mail, and send a failed one again. */
const KEPT_MS = { done: 7 * DAY_MS, dropped: 7 * DAY_MS, failed: 30 * DAY_MS } as const;

export async function sweepMails({ kernel }: Chat): Promise<void> {
  const { mysql, jobs, settings } = kernel;
  for (const mail of await mails.overdue(mysql, settings.sweepAfterMs)) {
    await jobs.nudge(sendMail, `mail-${mail.mailId}`, mail);
  }
  for (const state of ['done', 'dropped', 'failed'] as const) await mails.forgetOld(mysql, state, KEPT_MS[state]);
  await invitations.forgetExpired(mysql);
  await resets.forgetExpired(mysql);
}
