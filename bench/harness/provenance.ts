/** Names the machine and commit of stored results, for the text beside the table. */
import { groupBy } from '../../src/kernel/group';
import type { Machine } from './machine';
import type { Result } from './results';

const describe = ({ cpu, cores, memoryGiB, node, redis, mariadb }: Machine): string =>
  `${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node.replace(/^v/, '')}, Redis ${redis}, MariaDB ${mariadb}`;

const minuteOf = ({ date }: Machine): string => `${date.slice(0, 16).replace('T', ' ')} UTC`;

/** One sentence per machine and commit, with its benchmarks. */
export function provenance(results: readonly Result[]): string {
  const groups = groupBy(results, ({ machine }) => `${describe(machine)} ${machine.commit}`);
  return [...groups.values()]
    .map((group) => {
      const { machine } = group[0]!;
      const minutes = group.map((each) => minuteOf(each.machine)).sort();
      const names = group.map(({ name, repeats }) => `\`${name}\` (${repeats.length})`);
      return (
        `- Commit \`${machine.commit}\`, ${minutes[0]} to ${minutes.at(-1)}, ${describe(machine)}. ` +
        `Benchmarks and their repeats: ${names.join(', ')}.`
      );
    })
    .join('\n');
}
