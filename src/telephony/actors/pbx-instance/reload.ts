/**
 * Reloads a PBX that needs it to apply changes. One reload covers many changes. A mail begins it and looks after it until
 * it is over; nobody waits, because a reload may take minutes.
 */
import { done, dropped, postponed, retry, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Tx } from '../../../kernel/mysql/transaction';
import { companyTenant } from '../../model/companies/company';
import * as reloads from '../../store/sites/reloads';
import { instanceByUuid } from '../../store/sites/sites';
import { pbxInstances, type PbxMail } from '../mailboxes';
import { NotUnderstood, PbxError } from './driver';
import { resourcesFor, type PbxParts, type TurnResources } from './turn-resources';

/** The longest pause after failed reloads. */
const MAX_PAUSE_MS = 3_600_000;
/** A large PBX takes minutes. A reload that is under way for longer is considered lost. */
const MAX_RELOAD_MS = 900_000;

/** Records that a reload is needed, once, before the PBX is changed: a crash in between must not lose it. */
export function reloadOnce(resources: TurnResources): () => Promise<void> {
  let recorded: Promise<void> | undefined;
  return () => (recorded ??= wantReload(resources));
}

/** Sends the mail that begins it, unless one waits or a reload is running, whose mail looks again. */
export async function wantReload(resources: TurnResources): Promise<void> {
  const { driver, instance, settings, turn } = resources;
  if (!driver.reload) return;
  // Nobody else changes it while this turn holds its lease.
  const { isWanted, transaction } = await reloads.byInstance(turn.kernel.mysql, instance.uuid);
  if (isWanted) return;
  await turn.commit(async (tx) => {
    await reloads.want(tx.db, instance.uuid);
    if (transaction === null) sendReload(tx, resources, settings.pbxReloadMs);
  });
}

/** The delay lets one reload cover several changes. */
const sendReload = (tx: Tx, { instance }: TurnResources, afterMs: number): void =>
  pbxInstances.at(companyTenant(instance.companyId), instance.uuid, afterMs).send(tx, { kind: 'reload' });

type Reloading = NonNullable<TurnResources['driver']['reload']>;

export async function lookAfterReload(parts: PbxParts, turn: MailTurn, { attempts }: Mail<PbxMail>): Promise<Ending> {
  const { mysql } = turn.kernel;
  const [instance, state] = await Promise.all([instanceByUuid(mysql, turn.at), reloads.byInstance(mysql, turn.at)]);
  const resources = instance && resourcesFor(parts, turn, instance);
  if (!resources?.driver.reload || !reloads.isPending(state)) return done();
  const { reload } = resources.driver;
  if (state.transaction === null) return begin(resources, reload);
  if (state.transaction !== reloads.UNNAMED) return lookAt(resources, reload, state, attempts);
  // The worker that requested it never learnt its id. It is given time to end.
  const leftMs = parts.settings.breakerOpenMs - state.underWayMs;
  return leftMs > 0 ? postponed(null, leftMs) : again(resources, null, 0);
}

const contextOf = ({ settings }: TurnResources) => ({ key: 'reload', deadlineMs: settings.pbxCallMs });

/** It is not running, and its changes still wait. */
const again = ({ instance }: TurnResources, reason: string | null, afterMs: number): Ending =>
  postponed(reason, afterMs, { write: ({ db }) => reloads.over(db, instance.uuid, { isWanted: true }) });

/** The next reload has a mail of its own, with attempts of its own. */
const endReload = (resources: TurnResources, { isWanted }: reloads.Reload) => ({
  write: async (tx: Tx) => {
    await reloads.over(tx.db, resources.instance.uuid);
    if (isWanted) sendReload(tx, resources, 0);
  },
});

async function begin(resources: TurnResources, reload: Reloading): Promise<Ending> {
  const { instance, settings, turn } = resources;
  const isOurs = await turn.commit(({ db }) => reloads.claim(db, instance));
  if (!isOurs) return postponed('another instance reloads the same PBX', settings.pbxReloadMs);
  try {
    const transaction = await reload.begin(contextOf(resources));
    return postponed(null, settings.pbxReloadMs, { write: ({ db }) => reloads.begun(db, instance.uuid, transaction) });
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    say(resources, error, 'a PBX did not start to reload; trying again later');
    if (error.trouble === 'refused' || error.trouble === 'away') {
      return again(resources, error.message, settings.breakerOpenMs);
    }
    // The reload may be running, so no second one starts for a while.
    return postponed(error.message, settings.breakerOpenMs);
  }
}

async function lookAt(
  resources: TurnResources,
  reload: Reloading,
  state: reloads.Reload,
  attempts: number,
): Promise<Ending> {
  const { instance, settings, turn } = resources;
  try {
    const came = await reload.state(state.transaction ?? '', contextOf(resources));
    if (came === 'done') return done(endReload(resources, state));
    if (came === 'failed') return failed(resources, 'The reload failed', attempts);
    if (state.underWayMs > MAX_RELOAD_MS) return failed(resources, 'The reload does not end', attempts);
    return postponed(null, settings.pbxReloadMs);
  } catch (error) {
    if (error instanceof NotUnderstood) {
      // Another reload would get the same answer and loop for ever.
      const about = { instance: instance.uuid, detail: error.message };
      turn.kernel.log.error(about, 'a PBX may not have reloaded its configuration: check the PBX');
      return dropped(error.message, endReload(resources, state));
    }
    if (!(error instanceof PbxError)) throw error;
    say(resources, error, 'a PBX did not report the state of its reload; trying again later');
    return postponed(error.message, settings.breakerOpenMs);
  }
}

function failed(resources: TurnResources, why: string, attempts: number): Ending {
  const { settings } = resources;
  const what = `a PBX did not reload, ${attempts + 1} times in a row; trying again later`;
  say(resources, new PbxError('error', why), what);
  const { write } = again(resources, why, 0);
  return retry(why, {
    afterMs: Math.min(settings.breakerOpenMs * 2 ** attempts, MAX_PAUSE_MS),
    ...(write && { write }),
  });
}

const say = ({ turn, instance }: TurnResources, { trouble, message: detail }: PbxError, what: string): void =>
  turn.kernel.log.warn({ instance: instance.uuid, trouble, detail }, what);
