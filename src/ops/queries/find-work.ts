/** Finds work items of all products by what an operator knows of them. Credentials are masked. */
import { ensure } from '../../kernel/fault';
import type { Desk, WholeItem, WorkFilter, WorkItem } from '../../kernel/jobs/desk';
import type { Kernel } from '../../kernel/kernel';
import { maskSecrets, maskText } from '../../kernel/mask';
import { beforeNeedsDesk, beforeNothing, noSuchDesk, noSuchItem } from '../model/faults';
import { isOf, type AtDesk, type Desks } from '../model/work';

export function getDesk(desks: Desks, name: string): Desk {
  const desk = desks.find((each) => each.name === name);
  if (!desk) {
    throw noSuchDesk(
      name,
      desks.map((each) => each.name),
    );
  }
  return desk;
}

/** Searches one queue admin or all, newest first. */
export async function searchWork(
  kernel: Kernel,
  desks: Desks,
  wanted: WorkFilter & { readonly desk?: string | undefined },
): Promise<AtDesk<WorkItem>[]> {
  const asked = wanted.desk === undefined ? desks : [getDesk(desks, wanted.desk)];
  if (wanted.before !== undefined) await checkBegins(kernel, asked, wanted.before);
  const lists = await Promise.all(
    asked.map(async (desk) => {
      const items = await searchDesk(kernel, desk, wanted);
      return items.map((item) => ({ ...masked(item), desk: desk.name }));
    }),
  );
  const newest = lists.flat().sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  return newest.slice(0, wanted.limit);
}

const PAGE = 500;
/** How many items a search by tenant scans at most. */
const MOST_LOOKED_AT = 50_000;

/** Most desks cannot filter by tenant, so their pages are filtered here. */
async function searchDesk(kernel: Kernel, desk: Desk, wanted: WorkFilter): Promise<WorkItem[]> {
  const { tenant } = wanted;
  if (tenant === undefined) return desk.search(kernel, wanted);
  const found: WorkItem[] = [];
  let { before } = wanted;
  for (let seen = 0; seen < MOST_LOOKED_AT && found.length < wanted.limit; seen += PAGE) {
    const page = await desk.search(kernel, { ...wanted, before, limit: PAGE });
    found.push(...page.filter((item) => isOf(tenant, item)));
    if (page.length < PAGE) break;
    before = page.at(-1)!.id;
  }
  return found.slice(0, wanted.limit);
}

async function checkBegins(kernel: Kernel, [desk, ...others]: Desks, before: string): Promise<void> {
  ensure(desk !== undefined && others.length === 0, beforeNeedsDesk());
  ensure((await desk.get(kernel, before)) !== undefined, beforeNothing(desk.name, before));
}

export async function getWork(kernel: Kernel, desks: Desks, name: string, id: string): Promise<AtDesk<WholeItem>> {
  const item = await getDesk(desks, name).get(kernel, id);
  ensure(item !== undefined, noSuchItem(name, id));
  const more = maskSecrets(item.more) as WholeItem['more'];
  return { ...masked(item), payload: maskSecrets(item.payload), more, desk: name };
}

const masked = <T extends WorkItem>(item: T): T => ({
  ...item,
  reason: item.reason === null ? null : maskText(item.reason),
});
