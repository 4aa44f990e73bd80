/**
 * PBX driver for FreePBX. FreePBX generates the secret of a new extension and cannot store an operation's id. So an
 * extension is added under a name that contains the id, then updated; from then on its secret identifies the operation.
 * updateExtension deletes the messages of the mailbox, so it is called only for what nothing else changes.
 */
import type { Kernel } from '../../../kernel/kernel';
import type { Instance } from '../../model/sites/site';
import type { Remake } from '../../model/extensions/voicemail-loss';
import { freePbxArrangements } from '../pbx-arrangements/freepbx-arrangements';
import { NotUnderstood, PbxError, WouldDiscard, type CallContext, type Held, type PbxDriver } from './driver';
import {
  freePbxApi,
  FreePbxError,
  says,
  sendChange,
  throwFailedChange,
  type FreePbxTokens,
} from './freepbx/freepbx-api';
import * as fields from './freepbx/freepbx-fields';
import { followMeInput, setFollowMe } from './freepbx/freepbx-follow-me';
import * as queries from './freepbx/freepbx-queries';
import { freePbxReads } from './freepbx/freepbx-reads';
import { healthBy, inTheMiddle, throwInTheMiddle, untilDeadline } from './pbx-http';

/** Without a secret, FreePBX would generate one that nobody knows. */
function ensureSecret({ secret }: Held): void {
  if (typeof secret !== 'string' || secret === '') throw new PbxError('refused', 'The order has no secret');
}

const isWithoutUser = ({ isPartial, name }: Held): boolean => !isPartial && typeof name !== 'string';

export function freePbx(
  kernel: Pick<Kernel, 'secrets' | 'pause'>,
  instance: Pick<Instance, 'uuid' | 'address'> & { readonly credentials?: string | null },
  tokens: FreePbxTokens,
): PbxDriver {
  const api = freePbxApi(kernel.secrets, instance, tokens);

  const { get, find, mailboxOf, followMeOf, list } = freePbxReads(kernel.secrets, instance, api);

  const send = (mutation: string, input: object, context: CallContext) => sendChange(api, mutation, input, context);

  /** Throws WouldDiscard if there is a mailbox and nobody has accepted that its messages are deleted. */
  async function ensureMayRemake(number: number, remake: Remake, context: CallContext): Promise<void> {
    if (!(await mailboxOf(number, context))) return;
    if (!context.mayDiscard) throw new WouldDiscard(remake);
    context.willDiscard?.();
  }

  /** Calls only what differs, so that the messages of the mailbox are kept wherever that is possible. */
  async function change(found: Held, extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const seen = isWithoutUser(found) ? await restoreUser(extension, step()) : found;
    const { remade } = fields.stepsTo(extension, seen, context.before);
    if (remade.length === 0) return settle(seen, extension, step());
    // What an interrupted creation has left has no messages.
    if (!seen.isPartial) await ensureMayRemake(extension.number, remade, step());
    await remake(extension, step());
  }

  /** An interrupted updateCoreUser leaves the device without its user. The secret shows again once there is one. */
  async function restoreUser(extension: Held, context: CallContext): Promise<Held> {
    const step = untilDeadline(context);
    await send(queries.UPDATE_USER, fields.userInput(extension), step()).catch(throwFailedChange);
    const found = await get(extension.number, step());
    if (!found) throw new PbxError('cut', 'The PBX has lost the extension');
    return found;
  }

  /** Deletes the extension and creates it again, in one call. */
  async function remake(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const input = { ...fields.extensionInput(extension, context), extPassword: extension['secret'] };
    await send(queries.UPDATE, input, step()).catch((error: unknown) => {
      // It was there a moment ago: somebody else changes it.
      if (says(error, 'missing')) throw inTheMiddle(error);
      throwFailedChange(error);
    });
    const made = await get(extension.number, step()).catch(throwInTheMiddle);
    if (made) await settle(made, extension, step()).catch(throwInTheMiddle);
    await kernel.pause('mid-call');
  }

  /** Writes what needs no new extension. The mailbox first: a new user refers to the mailbox that is there. */
  async function settle(seen: Held, extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const { isMailboxWrong, isUserWrong, isFollowMeWrong } = fields.stepsTo(extension, seen);
    const wrong = [
      ...(isMailboxWrong ? [[queries.ENABLE_MAILBOX, fields.mailboxInput(extension)] as const] : []),
      ...(isUserWrong ? [[queries.UPDATE_USER, fields.userInput(extension)] as const] : []),
      ...(isFollowMeWrong ? [[queries.UPDATE_FOLLOW_ME, followMeInput(extension)] as const] : []),
    ];
    for (const [at, [mutation, input]] of wrong.entries()) {
      await send(mutation, input, step()).catch((error: unknown) => {
        throwFailedChange(at > 0 ? inTheMiddle(error) : error);
      });
    }
    if (wrong.length > 0) await kernel.pause('mid-call');
  }

  /** FreePBX chooses the secret of a new extension, so it is added under a name of ours and then changed. */
  async function add(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const whole = fields.extensionInput(extension, context);
    const unfinished = { name: `partyline ${context.key}`, email: whole.email.trim(), vmEnable: false };
    await send(queries.ADD, { ...whole, ...unfinished }, step());
    await remake(extension, step()).catch(throwInTheMiddle);
  }

  async function create(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    ensureSecret(extension);
    try {
      await add(extension, step());
    } catch (error) {
      if (!says(error, 'exists')) throw error;
      const found = await find(extension.number, step());
      await (found ? change(found, extension, step()) : mendHalf(extension, step()));
    }
  }

  /** It exists and it is missing: its user is there, its device is not. FreePBX only lets such an extension be deleted. */
  async function mendHalf(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    await ensureMayRemake(extension.number, 'half', step());
    await remove(extension.number, step());
    await add(extension, step()).catch(throwInTheMiddle);
  }

  async function remove(number: number, context: CallContext): Promise<void> {
    const input = { extensionId: String(number), clientMutationId: context.key };
    await send(queries.DELETE, input, context).catch((error: unknown) => {
      if (!says(error, 'missing')) throwFailedChange(error);
    });
  }

  return {
    recognises: 'content',
    unseen: ['max_contacts'],
    create,
    async update(extension, context) {
      const step = untilDeadline(context);
      ensureSecret(extension);
      const found = await find(extension.number, step());
      await (found ? change(found, extension, step()) : create(extension, step()));
    },
    async delete(number, context) {
      await remove(number, context);
      await kernel.pause('mid-call');
    },
    get,
    list,
    health: (context) =>
      healthBy(async () => {
        const step = untilDeadline(context);
        const { version } = await api.ask<{ version: string }>(queries.SYSTEM, {}, step());
        // `system { needReload }` has been seen to say no while this query said yes.
        const { message } = await api.ask<{ message: string }>(queries.NEED_RELOAD, {}, step());
        return `FreePBX ${version}${message === 'Doreload is required' ? ', has changes that wait for a reload' : ''}`;
      }),
    shows: fields.shownOf,
    /** Only a FreePBX with the module takes follow-me. */
    async lacks(extension, before, context) {
      const field = setFollowMe(extension, before);
      if (field === undefined) return undefined;
      return 'isSummary' in (await followMeOf(extension.number, context)) ? field : undefined;
    },
    arrangements: freePbxArrangements(api, async (context) => (await list(context)).map(({ number }) => number)),
    reload: {
      async begin(context) {
        const begun = await api.ask<{ transaction_id: string | number }>(queries.RELOAD, {}, context);
        return String(begun.transaction_id);
      },
      async state(id, context) {
        const { message } = await api
          .ask<{ message: string }>(queries.RELOADED, { id }, context)
          .catch((error: unknown) => {
            throw error instanceof FreePbxError ? new NotUnderstood(error.message) : error;
          });
        const state = RELOAD_STATES[message];
        if (!state) throw new NotUnderstood(`The PBX says of its reload: ${message}`);
        return state;
      },
    },
  };
}

/** `status` is true in every case; only the message tells the state. */
const RELOAD_STATES: Readonly<Record<string, 'under-way' | 'done' | 'failed'>> = {
  Processing: 'under-way',
  Executed: 'done',
  Failed: 'failed',
};
