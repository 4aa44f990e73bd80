/** Command-line options to search for work. */
import { InvalidArgumentError, Option, type Command } from 'commander';

const MAX = 500;

export const jobFilterOptions = (command: Command): Command =>
  command
    .option('--work-queue <name>', 'where it lies, such as deliveries, orders or jobs')
    .option('--bot <email or id>', 'whose; of jobs the queue, of orders the instance')
    .option('--integration <name>', 'which; of jobs the job, of orders the kind')
    .option('--delivery <id>', 'our id or theirs')
    .option('--error <text>', 'a part of the reason');

export const jobCountOption = (): Option =>
  new Option('--limit <count>', `most of them, up to ${MAX}`).default(50).argParser((text) => {
    const count = Number(text);
    if (!Number.isInteger(count) || count < 1 || count > MAX) {
      throw new InvalidArgumentError(`It must be a number from 1 to ${MAX}.`);
    }
    return count;
  });

export const stateOption = (states: readonly string[]): Option =>
  new Option('--state <state>', 'only these').choices(states);
