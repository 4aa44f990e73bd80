/** Reads extensions and mailboxes of a FreePBX. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Secrets } from '../../../../kernel/secrets/secrets';
import { markOf } from '../../../model/extensions/sealing';
import type { Instance } from '../../../model/sites/site';
import type { CallContext, Held } from '../driver';
import { FreePbxError, orIfNone, says, type FreePbxApi } from './freepbx-api';
import * as fields from './freepbx-fields';
import { heldFollowMe, type ShownFollowMe } from './freepbx-follow-me';
import * as queries from './freepbx-queries';
import { pageDeadlines, untilDeadline } from '../pbx-http';

const PAGE = 500;
const UNFINISHED = /^partyline ([\w-]+)$/;
/** An update deletes and recreates the extension within about 70 ms, so a missing extension may reappear. */
const REAPPEARS_MS = 200;

export function freePbxReads(secrets: Secrets, instance: Pick<Instance, 'uuid'>, api: Pick<FreePbxApi, 'ask'>) {
  function held({ extensionId, tech, user }: queries.ShownExtension): Held {
    const number = Number(extensionId);
    const [, unfinished] = UNFINISHED.exec(String(user?.['name'] ?? '')) ?? [];
    if (unfinished !== undefined) return { number, operation: unfinished, isPartial: true };
    const secret = String(user?.['extPassword'] ?? '');
    const operation = markOf(secrets, instance.uuid, { number, secret });
    return { number, tech, ...(user ? fields.heldUser(user) : {}), operation };
  }

  async function fetchExtension(number: number, context: CallContext): Promise<queries.ShownExtension> {
    const step = untilDeadline(context);
    const variables = { id: String(number) };
    try {
      return await api.ask<queries.ShownExtension>(queries.FETCH_WHOLE, variables, step());
    } catch (error) {
      if (!(error instanceof FreePbxError)) throw error;
      // With its device, a missing extension is an internal error. The query without it names the cause.
      await api.ask(queries.FETCH, variables, step()).catch((second: unknown) => {
        throw says(second, 'missing') ? second : error;
      });
      throw error;
    }
  }

  /** Undefined if there is none. Found also if the extension has lost its device. */
  const mailboxOf = (number: number, context: CallContext): Promise<fields.ShownMailbox | undefined> =>
    api.ask<fields.ShownMailbox>(queries.MAILBOX, { id: String(number) }, context).catch((error: unknown) => {
      if (says(error, 'none')) return undefined;
      throw error;
    });

  async function get(number: number, context: CallContext): Promise<Held | undefined> {
    const step = untilDeadline(context);
    const found = await fetchExtension(number, step()).catch((error: unknown) => {
      if (says(error, 'missing')) return undefined;
      throw error;
    });
    if (!found) return undefined;
    const whole = { ...held(found), emergency_cid: found.coreDevice?.emergencyCid ?? '' };
    if (whole.isPartial) return whole;
    const rest = { ...whole, ...(await followMeOf(number, step())) };
    if ((found.user?.['voicemail'] ?? 'novm') === 'novm') return rest;
    const mailbox = await mailboxOf(number, step());
    // The user refers to a mailbox that does not exist: neither with nor without voicemail.
    return { ...rest, ...(mailbox ? fields.heldMailbox(mailbox) : { voicemail: 'broken' }) };
  }

  /** A FreePBX without the module shows nothing of it, and what nothing shows is not compared. */
  async function followMeOf(number: number, context: CallContext): Promise<Readonly<Record<string, unknown>>> {
    try {
      const shown = await api.ask<ShownFollowMe>(queries.FOLLOW_ME, { id: String(number) }, context).catch(orIfNone);
      return heldFollowMe(shown, number);
    } catch (error) {
      if (says(error, 'unsupported')) return { isSummary: true };
      throw error;
    }
  }

  /** An update by somebody else deletes the extension for a moment. */
  async function find(number: number, context: CallContext): Promise<Held | undefined> {
    const step = untilDeadline(context);
    const found = await get(number, step());
    if (found) return found;
    await sleep(REAPPEARS_MS);
    return get(number, step());
  }

  async function list(context: CallContext): Promise<Held[]> {
    const step = pageDeadlines(context);
    const all: Held[] = [];
    for (;;) {
      const after = all.length === 0 ? undefined : Buffer.from(`arrayconnection:${all.length - 1}`).toString('base64');
      const page = await api.ask<queries.ShownList>(queries.LIST, { first: PAGE, after }, step());
      const shown = page.extension ?? [];
      all.push(...shown.map((each) => ({ ...held(each), isSummary: true })));
      if (shown.length < PAGE) return all;
    }
  }

  return { get, find, mailboxOf, followMeOf, list };
}
