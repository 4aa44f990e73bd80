/**
 * The driver of a FreePBX. It makes up the secret of a new extension and cannot keep an operation's id, so an extension
 * is added under a name that says whose it is, and then updated to what it shall be; that done, its secret tells.
 */
import type { Kernel } from '../../../kernel/kernel';
import { markOf } from '../../model/sealing';
import type { Instance } from '../../model/site';
import type { CallContext, Held, PbxDriver } from './driver';
import { freePbxApi, FreePbxError, type FreePbxTokens } from './freepbx-api';
import { healthBy, inTheMiddle, untilDeadline } from './pbx-http';

const ADD = 'mutation ($input: addExtensionInput!) { addExtension(input: $input) { status message } }';
const UPDATE = 'mutation ($input: updateExtensionInput!) { updateExtension(input: $input) { status message } }';
const DELETE = 'mutation ($input: deleteExtensionInput!) { deleteExtension(input: $input) { status message } }';
const FIELDS = 'extensionId tech user { name outboundCid extPassword voicemail }';
const FETCH = `query ($id: ID) { fetchExtension(extensionId: $id) { status message ${FIELDS} } }`;
const LIST =
  'query ($first: Int, $after: String) { fetchAllExtensions(first: $first, after: $after) ' +
  `{ status message totalCount extension { ${FIELDS} } } }`;
const RELOAD = 'mutation { doreload(input: {}) { status message transaction_id } }';
const RELOADED = 'query ($id: ID) { fetchApiStatus(txnId: $id) { status message } }';
const SYSTEM = 'query { system { version engine needReload } }';

const PAGE = 500;
const UNFINISHED = /^partyline ([\w-]+)$/;

interface Shown {
  readonly extensionId: string;
  readonly tech: string;
  readonly user: { name: string; outboundCid: string | null; extPassword: string; voicemail: string } | null;
}

export function freePbx(
  kernel: Kernel,
  instance: Instance & { readonly credentials?: string | null },
  tokens: FreePbxTokens,
): PbxDriver {
  const api = freePbxApi(kernel, instance, tokens);

  function held({ extensionId, tech, user }: Shown): Held {
    const number = Number(extensionId);
    const [, unfinished] = UNFINISHED.exec(user?.name ?? '') ?? [];
    if (unfinished !== undefined) return { number, operation: unfinished, isPartial: true };
    return {
      number,
      tech,
      name: user?.name,
      outboundcid: user?.outboundCid ?? '',
      voicemail: user?.voicemail,
      secret: user?.extPassword,
      operation: markOf(kernel.secrets, instance.uuid, { number, secret: user?.extPassword ?? '' }),
    };
  }

  async function update(extension: Held, context: CallContext): Promise<void> {
    const input = { ...inputOf(extension, context), extPassword: text(extension['secret']) };
    try {
      await api.ask(UPDATE, { input }, context);
    } catch (error) {
      // It deletes and creates: where it failed in between, the extension is gone.
      throw error instanceof FreePbxError && error.meaning !== 'failed' ? error : inTheMiddle(error);
    }
    await kernel.pause('mid-call');
  }

  async function create(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const input = { ...inputOf(extension, context), name: `partyline ${context.key}` };
    await api.ask(ADD, { input }, step()).catch((error: unknown) => {
      if (!(error instanceof FreePbxError && error.meaning === 'exists')) throw error;
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
      await update(extension, step()).catch((error: unknown) => {
        if (error instanceof FreePbxError && error.meaning === 'missing') return create(extension, step());
        throw error;
      });
    },
    async delete(number, context) {
      const input = { extensionId: String(number), clientMutationId: context.key };
      await api.ask(DELETE, { input }, context).catch((error: unknown) => {
        if (!(error instanceof FreePbxError && error.meaning === 'missing')) throw inTheMiddle(error);
      });
      await kernel.pause('mid-call');
    },
    get: (number, context) =>
      api.ask<Shown>(FETCH, { id: String(number) }, context).then(held, (error: unknown) => {
        if (error instanceof FreePbxError && error.meaning === 'missing') return undefined;
        throw error;
      }),
    async list(context) {
      const all: Held[] = [];
      for (;;) {
        const after =
          all.length === 0 ? undefined : Buffer.from(`arrayconnection:${all.length - 1}`).toString('base64');
        const page = await api.ask<{ extension: Shown[] | null }>(LIST, { first: PAGE, after }, context);
        all.push(...(page.extension ?? []).map(held));
        if ((page.extension ?? []).length < PAGE) return all;
      }
    },
    health: (context) =>
      healthBy(async () => {
        const system = await api.ask<{ version: string; needReload: boolean }>(SYSTEM, {}, context);
        return `FreePBX ${system.version}${system.needReload ? ', has changes that wait for a reload' : ''}`;
      }),
    shows: (extension) => ({
      number: extension.number,
      tech: extension['tech'],
      name: extension['name'],
      outboundcid: extension['outboundcid'],
      voicemail: extension['voicemail'],
      secret: extension['secret'],
    }),
    reload: {
      async begin(context) {
        const begun = await api.ask<{ transaction_id: string | number }>(RELOAD, {}, context);
        return String(begun.transaction_id);
      },
      async state(id, context) {
        const { message } = await api.ask<{ message: string }>(RELOADED, { id }, context);
        if (message === 'Executed') return 'done';
        return message === 'Failed' ? 'failed' : 'under-way';
      },
    },
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** All that it takes, each time: what an update does not name falls back to FreePBX's default. */
const inputOf = (extension: Held, { key }: CallContext) => ({
  extensionId: String(extension.number),
  name: text(extension['name']),
  email: text(extension['voicemail_email']),
  tech: text(extension['tech']) || 'pjsip',
  outboundCid: text(extension['outboundcid']),
  emergencyCid: text(extension['emergency_cid']),
  maxContacts: text(extension['max_contacts']) || '1',
  vmEnable: extension['voicemail'] !== 'novm',
  vmPassword: text(extension['voicemail_vmpwd']),
  // Not said, it would make a user of its user manager as well.
  umEnable: false,
  clientMutationId: key,
});
