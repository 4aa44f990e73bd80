/** Database cost of reading a hundred messages of a narrow, compared with reading a hundred rows by key. */
import { pairsByName, type Figure, type Pair, type Side, type Suite } from '../harness/benchmark';
import { openArchive } from '../harness/archive';
import { startProgram } from '../harness/children';
import { watchProcess } from '../harness/watch';
import type { ChatWork } from '../programs/chat-work';
import type { Rows } from '../programs/bare/rows';
import { atMost, CALL, COUNT, READS, SUM } from '../harness/database-figures';

interface Reading {
  readonly name: string;
  readonly narrow: readonly (readonly [string, unknown] | { operator: string; operand: unknown; negated: boolean })[];
  readonly target: Figure;
}

const WITHIN_300: Figure = { ...SUM, target: { of: 'ours', is: 'at most', value: 300 } };

const readings: readonly Reading[] = [
  { name: 'all', narrow: [], target: atMost(10) },
  { name: 'stream', narrow: [['stream', 'archive 198']], target: atMost(10) },
  {
    name: 'topic',
    narrow: [
      ['stream', 'archive 198'],
      ['topic', 'topic 4'],
    ],
    target: atMost(10),
  },
  { name: 'sender', narrow: [['sender', 'archive20@example.com']], target: atMost(10) },
  { name: 'pm-with', narrow: [['pm-with', 'other']], target: atMost(10) },
  { name: 'private', narrow: [['is', 'private']], target: atMost(10) },
  { name: 'starred', narrow: [['is', 'starred']], target: atMost(10) },
  { name: 'mentioned', narrow: [['is', 'mentioned']], target: atMost(10) },
  { name: 'unread', narrow: [['is', 'unread']], target: atMost(10) },
  { name: 'id', narrow: [['id', 999_700]], target: atMost(10) },
  { name: 'has', narrow: [['has', 'link']], target: atMost(30) },
  { name: 'home', narrow: [['in', 'home']], target: atMost(30) },
  { name: 'negated', narrow: [{ operator: 'stream', operand: 'archive 199', negated: true }], target: atMost(30) },
  { name: 'search', narrow: [['search', 'zebra']], target: WITHIN_300 },
];

const people = ['dense', 'sparse'] as const;

export const readSuite: Suite = {
  benchmarks: people.flatMap((who) =>
    readings.map(({ name, target }) => ({
      name: `read-${who}-${name}`,
      about: `100 messages of the narrow "${name}" out of a million, for a subscriber of ${who === 'dense' ? 'all' : 'two'} of 200 streams`,
      limit: '100 rows by their primary key',
      unit: 'request',
      figures: [target, CALL, COUNT, READS],
    })),
  ),
  async open(bench) {
    const { databaseUrl, environment, mariadb } = bench;
    const archive = await openArchive(bench);
    const [rows, work] = await Promise.all([
      startProgram<Rows>('programs/bare/rows', { databaseUrl, realmId: archive.realmId }),
      startProgram<ChatWork>('programs/chat-work', { environment }),
    ]);
    const limit: Side = {
      watched: [watchProcess('reader', rows), ...mariadb],
      run: (milliseconds) => rows.run({ milliseconds }),
    };
    const read = (who: (typeof people)[number], narrow: string): Side => ({
      watched: [watchProcess('reader', work), ...mariadb],
      run: (milliseconds) =>
        work.run({ kind: 'read', narrow, realmId: archive.realmId, userIds: [archive[who]], milliseconds }),
    });
    const pairs = people.flatMap((who) =>
      readings.map(({ name, narrow }): [string, Pair] => [
        `read-${who}-${name}`,
        { limit, ours: read(who, JSON.stringify(narrow).replace('other', otherOf(who))) },
      ]),
    );
    return pairsByName(Object.fromEntries(pairs));
  },
};

/** The other person of their conversation. */
const otherOf = (who: (typeof people)[number]): string => `archive${who === 'dense' ? 1 : 0}@example.com`;
