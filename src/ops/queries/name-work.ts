/** Names what work items show by id: their tenants, and the PBXs and carrier accounts that they are for. */
import type { ListFarEnds } from '../../kernel/far-ends/far-end';
import type { WorkItem } from '../../kernel/jobs/work-queue-admin';
import type { Kernel } from '../../kernel/kernel';
import type { Named } from '../model/work';
import type { Keepers } from './list-tenants';

export type NameWork = <T extends WorkItem>(items: readonly T[]) => Promise<(T & Named)[]>;

/** Ids of far ends look so; addresses and hosts do not. */
const ID = /^[0-9a-zA-Z-]{8,40}$/;

export function namesOfWork(
  { mysql }: Pick<Kernel, 'mysql'>,
  { keepers, farEnds }: { readonly keepers: Keepers; readonly farEnds: readonly ListFarEnds[] },
): NameWork {
  return async (items) => {
    const tenants = [...new Set(items.flatMap(({ tenant }) => tenant ?? []))];
    const subjects = [...new Set(items.map(({ subject }) => subject).filter((subject) => ID.test(subject)))];
    const [names, ends] = await Promise.all([
      Promise.all(tenants.length === 0 ? [] : keepers.map((keeper) => keeper.names({ mysql }, tenants))),
      Promise.all(subjects.length === 0 ? [] : farEnds.map((list) => list(mysql, subjects))),
    ]);
    const tenantNames = new Map(names.flatMap((each) => [...each]));
    const subjectNames = new Map(ends.flat().map(({ id, name }) => [id, name]));
    return items.map((item) => ({
      ...item,
      tenantName: (item.tenant === null ? undefined : tenantNames.get(item.tenant)) ?? null,
      subjectName: subjectNames.get(item.subject) ?? null,
    }));
  };
}
