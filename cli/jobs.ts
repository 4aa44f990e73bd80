/** Commands for queues, workers and work: inspects and repairs jobs without a browser. */
import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import type { Config } from '../config/index';
import { listWorkers } from '../src/kernel/jobs/heartbeat';
import { reportQueues, reportSchedules } from '../src/kernel/jobs/queue-report';
import {
  WORK_STATES,
  type WorkQueueAdmin,
  type Remedy,
  type WorkFilter,
  type WorkState,
} from '../src/kernel/jobs/work-queue-admin';
import type { Kernel } from '../src/kernel/kernel';
import { mendAll, mendOne, pauseQueue } from '../src/ops/commands/mend-work';
import type { Actor } from '../src/ops/model/audit';
import { queueObject, scheduleObject, wholeObject, workerObject, workObject } from '../src/ops/model/wire';
import { getAdmin, getWork, searchWork } from '../src/ops/queries/find-work';
import { namesOfWork } from '../src/ops/queries/name-work';
import { productsOf } from '../src/products';
import { whole } from './arguments';
import { queueTable, scheduleTable, workerTable, workTable, workText } from './jobs-text';
import { withKernel } from './session';

const nameWork = (kernel: Pick<Kernel, 'mysql'>, config: Config) => {
  const products = productsOf(config);
  return namesOfWork(kernel, {
    keepers: products.flatMap(({ tenants = [] }) => tenants),
    farEnds: products.flatMap(({ farEnds = [] }) => farEnds),
  });
};

const adminsOf = (config: Config): readonly WorkQueueAdmin[] =>
  productsOf(config).find(({ name }) => name === 'ops')?.admins ?? [];

/** Anyone who can run this may do anything. The audit trail records their user name on this machine. */
const actor = (): Actor => ({ operator: userInfo().username, via: 'cli' });

type Filter = Pick<WorkFilter, 'subject' | 'kind' | 'reference' | 'error'>;
interface FilterOptions {
  readonly workQueue?: string;
  readonly bot?: string;
  readonly integration?: string;
  readonly delivery?: string;
  readonly error?: string;
}
interface SearchOptions extends FilterOptions {
  readonly state?: WorkState;
  readonly before?: string;
  readonly limit: number;
}

const filterOf = ({ bot, integration, delivery, error }: FilterOptions): Filter => ({
  subject: bot,
  kind: integration,
  reference: delivery,
  error,
});

export function addJobCommands(program: Command): void {
  const jobs = program.command('jobs').description('queues, workers, dead letters');
  addLooking(jobs);
  addSearching(jobs);
  addMending(jobs);
  addPausing(jobs);
}

function addLooking(jobs: Command): void {
  jobs
    .command('queues')
    .description('every queue: depth by state, age of the oldest, rate, failures, latency')
    .action(
      withKernel(async ({ kernel }) => {
        const queues = await reportQueues(kernel);
        return { data: { queues: queues.map(queueObject) }, text: queueTable(queues) };
      }),
    );
  jobs
    .command('schedules')
    .description('what is due by itself, and when next')
    .action(
      withKernel(async ({ kernel }) => {
        const schedules = await reportSchedules(kernel.jobs);
        return { data: { schedules: schedules.map(scheduleObject) }, text: scheduleTable(schedules) };
      }),
    );
  jobs
    .command('workers')
    .description('workers that are alive, and what each is doing')
    .action(
      withKernel(async ({ kernel }) => {
        const workers = await listWorkers(kernel);
        return { data: { workers: workers.map(workerObject) }, text: workerTable(workers) };
      }),
    );
}

function addSearching(jobs: Command): void {
  const search = (command: Command, state: WorkState | undefined) =>
    command.action(
      withKernel(async ({ kernel, config }, options: SearchOptions) => {
        const { workQueue, before, limit } = options;
        const wanted = { ...filterOf(options), workQueue, before, limit, state: state ?? options.state };
        const found = await nameWork(kernel, config)(await searchWork(kernel, adminsOf(config), wanted));
        return { data: { jobs: found.map(workObject) }, text: workTable(found) };
      }),
    );
  search(
    jobFilterOptions(jobs.command('list')).description('dead letters, newest first').addOption(jobCountOption()),
    'dead',
  );
  const everything = jobFilterOptions(jobs.command('search')).description('work in any state, newest first');
  search(
    everything.addOption(jobCountOption()).addOption(new Option('--state <state>', 'only these').choices(WORK_STATES)),
    undefined,
  );
  jobs
    .command('show')
    .description('one piece of work with its payload; credentials in it are masked')
    .argument('<work-queue>', 'where it lies, such as deliveries, orders or jobs')
    .argument('<id>', 'which')
    .action(
      withKernel(async ({ kernel, config }, workQueue: string, id: string) => {
        const [item] = await nameWork(kernel, config)([await getWork(kernel, adminsOf(config), workQueue, id)]);
        const data = wholeObject(item!);
        return { data, text: workText(data) };
      }),
    );
}

const DONE: Readonly<Record<Remedy, string>> = { retry: 'retried', discard: 'discarded', replay: 'replayed as' };

function addMending(jobs: Command): void {
  const descriptions: Readonly<Record<Remedy, string>> = {
    retry: 'try a dead letter again',
    discard: 'discard work that has not been done',
    replay: 'do again what has been done, as a copy of it',
  };
  for (const remedy of ['retry', 'discard', 'replay'] as const) {
    jobs
      .command(remedy)
      .description(descriptions[remedy])
      .argument('<work-queue>', 'where it lies, such as deliveries or jobs')
      .argument('<id>', 'which')
      .action(
        withKernel(async ({ kernel, config }, workQueue: string, id: string) => {
          const changed = await mendOne(kernel, getAdmin(adminsOf(config), workQueue), id, { remedy, by: actor() });
          return { data: { work_queue: workQueue, id: changed }, text: `${DONE[remedy]} ${changed}` };
        }),
      );
  }
  jobFilterOptions(jobs.command('retry-all'))
    .description('try every dead letter again that the options find')
    .action(
      withKernel(async ({ kernel, config }, options: FilterOptions) => {
        const admins = adminsOf(config).filter(({ remedies }) => remedies.includes('retry'));
        let count = 0;
        for (const workQueue of options.workQueue === undefined ? admins : [getAdmin(admins, options.workQueue)]) {
          count += await mendAll(kernel, workQueue, filterOf(options), { remedy: 'retry', by: actor() });
        }
        return { data: { count }, text: `retried ${count}` };
      }),
    );
}

function addPausing(jobs: Command): void {
  for (const [verb, isPaused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    jobs
      .command(verb)
      .description(isPaused ? 'pause a queue on every worker' : 'resume a queue')
      .argument('<queue>', 'which')
      .action(
        withKernel(async ({ kernel }, queue: string) => {
          await pauseQueue(kernel, queue, isPaused, actor());
          return { data: { queue, is_paused: isPaused }, text: `${verb}d ${queue}` };
        }),
      );
  }
}

const MAX = 500;

const jobFilterOptions = (command: Command): Command =>
  command
    .option('--work-queue <name>', 'where it lies, such as deliveries, orders or jobs')
    .option('--bot <email or id>', 'whose; of jobs the queue, of orders the instance')
    .option('--integration <name>', 'which; of jobs the job, of orders the kind')
    .option('--delivery <id>', 'our id or theirs')
    .option('--error <text>', 'a part of the reason');

const jobCountOption = (): Option =>
  new Option('--limit <count>', `most of them, up to ${MAX}`).default(50).argParser(whole(1, MAX));
