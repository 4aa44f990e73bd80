/** Adds, deactivates and limits tenants, with an audit entry. An addition is recorded after the tenant exists. */
import { ensure } from '../../kernel/fault';
import type { Kernel, Storage } from '../../kernel/kernel';
import { setLimit } from '../../kernel/mysql/tenant-limits';
import type { Keyspace } from '../../kernel/redis/connections';
import type { OwnerInvitation, TenantAdded, TenantDraft, TenantKeeper } from '../../kernel/tenants';
import type { Actor } from '../model/audit';
import { noOwnerToInvite, noSuchLimit } from '../model/faults';
import { getTenant } from '../queries/list-tenants';
import * as audit from '../store/audit';

export async function addTenant(
  kernel: Storage & Keyspace & Pick<Kernel, 'channel' | 'log'>,
  keeper: TenantKeeper,
  draft: TenantDraft,
  by: Actor,
): Promise<TenantAdded> {
  const added = await keeper.add(kernel, draft);
  const target = `${added.tenant} ${draft.name}`;
  await kernel.transaction((tx) => audit.insert(tx.db, { ...by, action: 'add', target, count: null }));
  return added;
}

export async function inviteOwner(
  kernel: Storage & Keyspace & Pick<Kernel, 'channel' | 'log'>,
  keeper: TenantKeeper,
  { id, by }: TenantChange,
  language: string,
): Promise<OwnerInvitation> {
  const { tenant } = await getTenant(kernel, keeper, id);
  if (!keeper.invite) throw noOwnerToInvite(keeper.kind);
  const invitation = await keeper.invite(kernel, id, language);
  const target = `${tenant} ${invitation.email}`;
  await kernel.transaction((tx) => audit.insert(tx.db, { ...by, action: 'invite', target, count: null }));
  return invitation;
}

export interface TenantChange {
  readonly id: string;
  readonly by: Actor;
}

export async function setTenantActive(
  kernel: Storage,
  keeper: TenantKeeper,
  isActive: boolean,
  { id, by }: TenantChange,
): Promise<void> {
  const { tenant } = await getTenant(kernel, keeper, id);
  await kernel.transaction(async (tx) => {
    await keeper.setActive(tx, id, isActive);
    const action = isActive ? 'reactivate' : 'deactivate';
    await audit.insert(tx.db, { ...by, action, target: tenant, count: null });
  });
}

export async function limitTenant(
  kernel: Storage,
  keeper: TenantKeeper,
  limits: Readonly<Record<string, number | null>>,
  { id, by }: TenantChange,
): Promise<void> {
  const { tenant } = await getTenant(kernel, keeper, id);
  const entries = Object.entries(limits);
  for (const [name] of entries) ensure(keeper.limits.includes(name), noSuchLimit(name, keeper.limits));
  await kernel.transaction(async (tx) => {
    for (const [name, most] of entries) await setLimit(tx.db, tenant, name, most);
    const target = `${tenant} ${entries.map(([name, most]) => `${name} ${most ?? 'unlimited'}`).join(', ')}`;
    await audit.insert(tx.db, { ...by, action: 'limit', target, count: null });
  });
}
