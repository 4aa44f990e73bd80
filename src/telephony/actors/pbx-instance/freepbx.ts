/**
 * PBX driver for FreePBX. FreePBX generates the secret of a new extension and cannot store an operation's id. So an
 * extension is added under a name that contains the id, then updated; from then on its secret identifies the operation.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kernel } from '../../../kernel/kernel';
import { markOf } from '../../model/extensions/sealing';
import type { Instance } from '../../model/sites/site';
import { NotUnderstood, PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { freePbxApi, FreePbxError, type FreePbxTokens, type Meaning } from './freepbx-api';
import * as fields from './freepbx-fields';
import * as queries from './freepbx-queries';
import { healthBy, inTheMiddle, pageDeadlines, untilDeadline } from './pbx-http';

const PAGE = 500;
const UNFINISHED = /^partyline ([\w-]+)$/;
/** An update deletes and recreates the extension within about 70 ms, so a missing extension may reappear. */
const REAPPEARS_MS = 200;

const says = (error: unknown, meaning: Meaning): boolean => error instanceof FreePbxError && error.meaning === meaning;

/** A change deletes before it creates, so the outcome is unknown unless FreePBX never started. */
function throwFailedChange(error: unknown): never {
  const isNotBegun = error instanceof PbxError && (error.trouble === 'away' || error.trouble === 'refused');
  throw isNotBegun ? error : inTheMiddle(error);
}

export function freePbx(
  kernel: Pick<Kernel, 'secrets' | 'pause'>,
  instance: Pick<Instance, 'uuid' | 'address'> & { readonly credentials?: string | null },
  tokens: FreePbxTokens,
): PbxDriver {
  const api = freePbxApi(kernel, instance, tokens);

  function held({ extensionId, tech, user }: queries.ShownExtension): Held {
    const number = Number(extensionId);
    const [, unfinished] = UNFINISHED.exec(String(user?.['name'] ?? '')) ?? [];
    if (unfinished !== undefined) return { number, operation: unfinished, isPartial: true };
    const secret = String(user?.['extPassword'] ?? '');
    const operation = markOf(kernel.secrets, instance.uuid, { number, secret });
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

  async function get(number: number, context: CallContext): Promise<Held | undefined> {
    const step = untilDeadline(context);
    const found = await fetchExtension(number, step()).catch((error: unknown) => {
      if (says(error, 'missing')) return undefined;
      throw error;
    });
    if (!found) return undefined;
    const whole = { ...held(found), emergency_cid: found.coreDevice?.emergencyCid ?? '' };
    if (whole.isPartial || (found.user?.['voicemail'] ?? 'novm') === 'novm') return whole;
    const mailbox = await api
      .ask<fields.ShownMailbox>(queries.MAILBOX, { id: String(number) }, step())
      .catch((error: unknown) => {
        if (error instanceof FreePbxError) return undefined;
        throw error;
      });
    // The user refers to a mailbox that does not exist: neither with nor without voicemail.
    return { ...whole, ...(mailbox ? fields.heldMailbox(mailbox) : { voicemail: 'broken' }) };
  }

  async function update(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const { secret } = extension;
    // Without a secret, FreePBX would generate one that nobody knows.
    if (typeof secret !== 'string' || secret === '') throw new PbxError('refused', 'The order has no secret');
    const input = { ...fields.extensionInput(extension, context), extPassword: secret };
    await api.ask(queries.UPDATE, { input }, step()).catch(throwFailedChange);
    await settleRest(extension, step()).catch((error: unknown) => {
      throw inTheMiddle(error);
    });
    await kernel.pause('mid-call');
  }

  /** Writes what updateExtension has no input for. */
  async function settleRest(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const shown = await api.ask<queries.ShownExtension>(queries.FETCH, { id: String(extension.number) }, step());
    if (!shown.user || !fields.isUserAlike(shown.user, extension)) {
      await api.ask(queries.UPDATE_USER, { input: fields.userInput(extension) }, step());
    }
    if (fields.needsOwnMailbox(extension)) {
      await api.ask(queries.ENABLE_MAILBOX, { input: fields.mailboxInput(extension) }, step());
    }
  }

  async function create(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const whole = fields.extensionInput(extension, context);
    const input = { ...whole, name: `partyline ${context.key}`, email: whole.email.trim() };
    await api.ask(queries.ADD, { input }, step()).catch((error: unknown) => {
      if (!says(error, 'exists')) throw error;
    });
    await update(extension, step()).catch((error: unknown) => {
      throw inTheMiddle(error);
    });
  }

  return {
    recognises: 'content',
    create,
    async update(extension, context) {
      const step = untilDeadline(context);
      try {
        await update(extension, step());
      } catch (error) {
        if (!says(error, 'missing')) throw error;
        await sleep(REAPPEARS_MS);
        const isThere = (await get(extension.number, step())) !== undefined;
        await (isThere ? update : create)(extension, step());
      }
    },
    async delete(number, context) {
      const input = { extensionId: String(number), clientMutationId: context.key };
      await api.ask(queries.DELETE, { input }, context).catch((error: unknown) => {
        if (!says(error, 'missing')) throwFailedChange(error);
      });
      await kernel.pause('mid-call');
    },
    get,
    async list(context) {
      const step = pageDeadlines(context);
      const all: Held[] = [];
      for (;;) {
        const after =
          all.length === 0 ? undefined : Buffer.from(`arrayconnection:${all.length - 1}`).toString('base64');
        const page = await api.ask<queries.ShownList>(queries.LIST, { first: PAGE, after }, step());
        const shown = page.extension ?? [];
        all.push(...shown.map((each) => ({ ...held(each), isSummary: true })));
        if (shown.length < PAGE) return all;
      }
    },
    health: (context) =>
      healthBy(async () => {
        const step = untilDeadline(context);
        const { version } = await api.ask<{ version: string }>(queries.SYSTEM, {}, step());
        // `system { needReload }` has been seen to say no while this query said yes.
        const { message } = await api.ask<{ message: string }>(queries.NEED_RELOAD, {}, step());
        return `FreePBX ${version}${message === 'Doreload is required' ? ', has changes that wait for a reload' : ''}`;
      }),
    shows: fields.shownOf,
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
