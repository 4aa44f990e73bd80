/** Routes of organisations and companies: size, activity and limits. They show nothing of the contents. */
import { z } from 'zod';
import { readJson, text } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { addTenant, inviteOwner, limitTenant, setTenantActive } from '../commands/change-tenants';
import { ownerInvitation, tenant, tenantAdded, tenantsAnswer } from '../model/answers';
import { noOwnerToInvite } from '../model/faults';
import { getKeeper, getTenant, listTenants, type Keepers, type KeptTenant } from '../queries/list-tenants';
import { actorOf, type Caller } from './access';
import { limitParam } from './queues';

const { get, post, patch } = routesFor<Caller>();

/** Fits a MySQL INT, and is more than any tenant has. */
const MAX = 1_000_000_000;
/** The column length in each product. */
const nameParam = text.pipe(z.string().trim().min(1).max(100));
const fieldParam = text.pipe(z.string().trim().max(254)).optional();
const limitsParam = readJson(z.record(z.string().max(32), z.int().min(0).max(MAX).nullable())).meta({
  type: 'object',
  additionalProperties: { type: ['integer', 'null'] },
});

const tenantObject = ({ isActive, createdAt, lastActiveAt, ...kept }: KeptTenant) => ({
  ...kept,
  is_active: isActive,
  created_at: createdAt.toISOString(),
  last_active_at: lastActiveAt?.toISOString() ?? null,
});

export const tenantRoutes = (keepers: Keepers) => [
  get('/tenants', {
    summary: 'List organisations and companies with their size, activity and limits',
    answer: tenantsAnswer,
    isExpensive: true,
    params: { kind: text.optional(), search: text.optional(), after: text.optional(), limit: limitParam },
    run: async ({ kernel, params }) => ({
      kinds: keepers.map(({ kind, fields, limits }) => ({ kind, fields, limits })),
      tenants: (await listTenants(kernel, keepers, params)).map(tenantObject),
    }),
  }),
  post('/tenants/:kind', {
    summary: 'Add an organisation with its subdomain, or a company with the email address of its owner',
    answer: tenantAdded,
    params: { name: nameParam, subdomain: fieldParam, owner_email: fieldParam },
    async run({ kernel, by, incoming, params: { kind, name, ...fields } }) {
      const keeper = getKeeper(keepers, kind);
      const given = Object.entries(fields).filter(([, value]) => value !== undefined);
      const language = incoming.header('accept-language');
      const draft = { name, language, fields: Object.fromEntries(given) as Record<string, string> };
      return { kind, ...(await addTenant(kernel, keeper, draft, actorOf(by))) };
    },
  }),
  post('/tenants/:kind/:id/invite', {
    summary: 'Invite the owner of a company once more, by mail if the server sends mail',
    answer: ownerInvitation,
    refuses: [noOwnerToInvite('organisation')],
    run: ({ kernel, by, incoming, params: { kind, id } }) =>
      inviteOwner(kernel, getKeeper(keepers, kind), { id, by: actorOf(by) }, incoming.header('accept-language')),
  }),
  ...([false, true] as const).map((isActive) =>
    post(`/tenants/:kind/:id/${isActive ? 'reactivate' : 'deactivate'}`, {
      summary: isActive ? 'Reactivate a tenant' : 'Deactivate a tenant; its data is kept',
      answer: tenant,
      async run({ kernel, by, params: { kind, id } }) {
        const keeper = getKeeper(keepers, kind);
        await setTenantActive(kernel, keeper, isActive, { id, by: actorOf(by) });
        return tenantObject(await getTenant(kernel, keeper, id));
      },
    }),
  ),
  patch('/tenants/:kind/:id', {
    summary: 'Change the limits of a tenant; null means unlimited',
    answer: tenant,
    params: { limits: limitsParam },
    async run({ kernel, by, params: { kind, id, limits } }) {
      const keeper = getKeeper(keepers, kind);
      await limitTenant(kernel, keeper, limits, { id, by: actorOf(by) });
      return tenantObject(await getTenant(kernel, keeper, id));
    },
  }),
];
