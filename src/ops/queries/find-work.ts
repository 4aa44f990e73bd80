/** Finds work items of all products by what an operator knows of them. Credentials are masked. */
import { ensure } from '../../kernel/fault';
import {
  readBacklogs,
  type WorkQueueAdmin,
  type WholeItem,
  type WorkFilter,
  type WorkItem,
} from '../../kernel/jobs/work-queue-admin';
import type { Kernel } from '../../kernel/kernel';
import { maskSecrets, maskText } from '../../kernel/secrets/mask';
import { beforeNeedsWorkQueue, beforeNothing, noSuchWorkQueue, noSuchItem } from '../model/faults';
import { isOf, type InWorkQueue, type WorkQueueAdmins, type WorkQueueReport } from '../model/work';

type Parts = Pick<Kernel, 'jobs' | 'mysql'>;

export function getAdmin(admins: WorkQueueAdmins, name: string): WorkQueueAdmin {
  const admin = admins.find((each) => each.name === name);
  const known = admins.map((each) => each.name);
  ensure(admin !== undefined, noSuchWorkQueue(name, known));
  return admin;
}

/** Searches one queue admin or all, newest first. */
export async function searchWork(
  kernel: Parts,
  admins: WorkQueueAdmins,
  wanted: WorkFilter & { readonly workQueue?: string | undefined },
): Promise<InWorkQueue<WorkItem>[]> {
  const asked = wanted.workQueue === undefined ? admins : [getAdmin(admins, wanted.workQueue)];
  if (wanted.before !== undefined) await checkBegins(kernel, asked, wanted.before);
  const lists = await Promise.all(
    asked.map(async (admin) => {
      const items = await searchAdmin(kernel, admin, wanted);
      return items.map((item) => ({ ...masked(item), workQueue: admin.name }));
    }),
  );
  const newest = lists.flat().sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  return newest.slice(0, wanted.limit);
}

const PAGE = 500;
/** How many items a search by tenant scans at most. */
const MAX_LOOKED_AT = 50_000;

/** Most work queues cannot filter by tenant, so their pages are filtered here. */
async function searchAdmin(kernel: Parts, admin: WorkQueueAdmin, wanted: WorkFilter): Promise<WorkItem[]> {
  const { tenant } = wanted;
  if (tenant === undefined) return admin.search(kernel, wanted);
  const found: WorkItem[] = [];
  let { before } = wanted;
  for (let seen = 0; seen < MAX_LOOKED_AT && found.length < wanted.limit; seen += PAGE) {
    const page = await admin.search(kernel, { ...wanted, before, limit: PAGE });
    found.push(...page.filter((item) => isOf(tenant, item)));
    if (page.length < PAGE) break;
    before = page.at(-1)!.id;
  }
  return found.slice(0, wanted.limit);
}

async function checkBegins(kernel: Parts, [admin, ...others]: WorkQueueAdmins, before: string): Promise<void> {
  ensure(admin !== undefined && others.length === 0, beforeNeedsWorkQueue());
  ensure((await admin.get(kernel, before)) !== undefined, beforeNothing(admin.name, before));
}

export async function getWork(
  kernel: Parts,
  admins: WorkQueueAdmins,
  name: string,
  id: string,
): Promise<InWorkQueue<WholeItem>> {
  const item = await getAdmin(admins, name).get(kernel, id);
  ensure(item !== undefined, noSuchItem(name, id));
  const more = maskSecrets(item.more) as WholeItem['more'];
  return { ...masked(item), payload: maskSecrets(item.payload), more, workQueue: name };
}

const masked = <T extends WorkItem>(item: T): T => ({
  ...item,
  reason: item.reason === null ? null : maskText(item.reason),
});

export async function reportWorkQueues(kernel: Parts, admins: WorkQueueAdmins): Promise<WorkQueueReport[]> {
  const backlogs = await readBacklogs(kernel, admins);
  return admins.map(({ name, about, remedies }, index) => ({ name, about, remedies, ...backlogs[index]! }));
}
