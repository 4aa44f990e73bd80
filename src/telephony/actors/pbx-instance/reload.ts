/**
 * Reloads a PBX that needs it to apply changes. One reload covers many changes; it is started here and checked later.
 */
import * as reloads from '../../store/sites/reloads';
import type { TurnResources } from './turn-resources';
import { NotUnderstood, PbxError } from './driver';

/** The longest backoff after failed reloads. */
const MAX_WAIT_MS = 3_600_000;
/** A large PBX takes minutes. A reload that is under way for longer is considered lost. */
const MAX_RELOAD_MS = 900_000;

export async function wantReload({ driver, instance, settings, turn }: TurnResources): Promise<void> {
  if (driver.reload) await reloads.want(turn.kernel.mysql, instance.uuid, settings.pbxReloadMs);
}

/** Records that a reload is needed, once, before the PBX is changed: a crash in between must not lose it. */
export function reloadOnce(resources: TurnResources): () => Promise<void> {
  let recorded: Promise<void> | undefined;
  return () => (recorded ??= wantReload(resources));
}

type Reloading = NonNullable<TurnResources['driver']['reload']>;

/** Starts a due reload, or checks the running one. Never waits for it, because a reload may take minutes. */
export async function lookAfterReload(resources: TurnResources): Promise<void> {
  const { reload } = resources.driver;
  if (!reload) return;
  const state = await reloads.byInstance(resources.turn.kernel.mysql, resources.instance.uuid);
  if (!state) return;
  if (state.transaction === null) {
    if (state.isDue) await begin(resources, reload);
  } else if (state.isToBeLookedAt) await lookAt(resources, reload, state);
}

const contextOf = ({ settings }: TurnResources) => ({ key: 'reload', deadlineMs: settings.pbxCallMs });

async function begin(resources: TurnResources, reload: Reloading): Promise<void> {
  const { instance, settings, turn } = resources;
  const { mysql } = turn.kernel;
  const isOurs = await turn.commit(({ db }) => reloads.claim(db, instance, settings.breakerOpenMs));
  if (!isOurs) {
    return reloads.again(mysql, instance.uuid, settings.pbxReloadMs);
  }
  try {
    await reloads.begun(mysql, instance.uuid, await reload.begin(contextOf(resources)), settings.pbxReloadMs);
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    say(resources, error, 'a PBX did not start to reload; trying again later');
    // After other errors the reload may be running, so no second one starts until its marker expires.
    if (error.trouble === 'refused' || error.trouble === 'away') {
      await reloads.again(mysql, instance.uuid, settings.breakerOpenMs);
    }
  }
}

async function lookAt(resources: TurnResources, reload: Reloading, state: reloads.Reload): Promise<void> {
  const { instance, settings, turn } = resources;
  const { mysql, log } = turn.kernel;
  const { uuid } = instance;
  // The worker that requested it never learnt its id. By now the reload is over.
  if (state.transaction === reloads.UNNAMED) return reloads.again(mysql, uuid, 0);
  try {
    const came = await reload.state(state.transaction ?? '', contextOf(resources));
    if (came === 'done') await reloads.done(mysql, uuid);
    else if (came === 'failed') await fail(resources, state, 'The reload failed');
    else if (state.underWayMs > MAX_RELOAD_MS) await fail(resources, state, 'The reload does not end');
    else await reloads.lookAgain(mysql, uuid, settings.pbxReloadMs);
  } catch (error) {
    if (error instanceof NotUnderstood) {
      // Another reload would get the same answer and loop for ever.
      log.error(
        { instance: uuid, detail: error.message },
        'a PBX may not have reloaded its configuration: check the PBX',
      );
      await reloads.giveUp(mysql, uuid);
    } else if (error instanceof PbxError) {
      say(resources, error, 'a PBX did not report the state of its reload; trying again later');
      await reloads.lookAgain(mysql, uuid, settings.breakerOpenMs);
    } else throw error;
  }
}

async function fail(resources: TurnResources, { failures }: reloads.Reload, why: string): Promise<void> {
  const { instance, settings, turn } = resources;
  const waitMs = Math.min(settings.breakerOpenMs * 2 ** failures, MAX_WAIT_MS);
  say(
    resources,
    new PbxError('error', why),
    `a PBX did not reload, ${failures + 1} times in a row; trying again later`,
  );
  await reloads.failed(turn.kernel.mysql, instance.uuid, waitMs);
}

const say = ({ turn, instance }: TurnResources, { trouble, message: detail }: PbxError, what: string): void =>
  turn.kernel.log.warn({ instance: instance.uuid, trouble, detail }, what);
