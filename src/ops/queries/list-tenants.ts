/** Lists organisations and companies with their limits. */
import { ensure } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import type { Database } from '../../kernel/mysql/pool';
import { limitsOf } from '../../kernel/mysql/tenant-limits';
import type { TenantKeeper, TenantLine, TenantSearch } from '../../kernel/tenants';
import { afterNeedsKind, noSuchKind, noSuchTenant } from '../model/faults';

export interface KeptTenant extends TenantLine {
  readonly kind: string;
  /** Every limit of its kind; null if not set. */
  readonly limits: Readonly<Record<string, number | null>>;
}

export type Keepers = readonly TenantKeeper[];

export function getKeeper(keepers: Keepers, kind: string): TenantKeeper {
  const keeper = keepers.find((each) => each.kind === kind);
  const known = keepers.map((each) => each.kind);
  ensure(keeper !== undefined, noSuchKind(kind, known));
  return keeper;
}

export async function listTenants(
  kernel: Pick<Kernel, 'mysql'>,
  keepers: Keepers,
  { kind, ...search }: TenantSearch & { readonly kind?: string | undefined },
): Promise<KeptTenant[]> {
  ensure(search.after === undefined || kind !== undefined, afterNeedsKind());
  const asked = kind === undefined ? keepers : [getKeeper(keepers, kind)];
  const lists = await Promise.all(
    asked.map(async (keeper) => withLimits(kernel.mysql, keeper, await keeper.list(kernel, search))),
  );
  return lists.flat();
}

export async function getTenant(kernel: Pick<Kernel, 'mysql'>, keeper: TenantKeeper, id: string): Promise<KeptTenant> {
  const line = await keeper.get(kernel, id);
  ensure(line !== undefined, noSuchTenant(keeper.kind, id));
  const [kept] = await withLimits(kernel.mysql, keeper, [line]);
  return kept!;
}

async function withLimits(db: Database, keeper: TenantKeeper, lines: readonly TenantLine[]): Promise<KeptTenant[]> {
  const set = await limitsOf(
    db,
    lines.map(({ tenant }) => tenant),
  );
  const most = (line: TenantLine, name: string): number | null =>
    set.find((each) => each.tenant === line.tenant && each.name === name)?.most ?? null;
  return lines.map((line) => ({
    ...line,
    kind: keeper.kind,
    limits: Object.fromEntries(keeper.limits.map((name) => [name, most(line, name)])),
  }));
}
