/** Makes changes effective on a PBX that needs a reload for it: one for many changes, begun here and looked after later. */
import * as reloads from '../../store/reloads';
import type { Bench } from './bench';
import { PbxError } from './driver';

/** Notes that there is something to apply; in the transaction that says so of the change itself, where there is one. */
export async function wantReload({ driver, instance, settings }: Bench, db: Parameters<typeof reloads.want>[0]) {
  if (driver.reload) await reloads.want(db, instance.uuid, settings.pbxReloadMs);
}

/** Begins the reload that is due, or asks after the one under way. Never waits for one: it may take minutes. */
export async function lookAfterReload(bench: Bench): Promise<void> {
  const { driver, instance, settings, turn } = bench;
  if (!driver.reload) return;
  const { mysql, log } = turn.kernel;
  const { uuid } = instance;
  const state = await reloads.byInstance(mysql, uuid);
  if (!state) return;
  const context = { key: 'reload', deadlineMs: settings.pbxCallMs };
  try {
    if (state.transaction !== null) {
      if (!state.isToBeLookedAt) return;
      const came = await driver.reload.state(state.transaction, context);
      if (came === 'under-way') await reloads.lookAgain(mysql, uuid, settings.pbxReloadMs);
      else if (came === 'done') await reloads.done(mysql, uuid);
      else throw new PbxError('error', 'The reload failed');
    } else if (state.isDue) {
      await reloads.begun(mysql, uuid, await driver.reload.begin(context), settings.pbxReloadMs);
    }
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    log.warn(
      { instance: uuid, trouble: error.trouble, detail: error.message },
      'a PBX did not reload; once more later',
    );
    // A second reload does no harm; a lost one would.
    await reloads.postpone(mysql, uuid, settings.breakerOpenMs);
  }
}
