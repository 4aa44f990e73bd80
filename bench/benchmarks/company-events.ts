/** A company's events to a thousand sockets on two nodes, compared with bare Socket.IO under the same load. */
import { createConnection } from 'mysql2/promise';
import { cpuOf, P50, P95, pairsByName, RATE, type Side, type Suite, type Target } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { startNode, type NodeProcess } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import { watchProcess } from '../harness/watch';
import type { CompanySockets } from '../load/company-sockets';
import type { BareCompany } from '../programs/bare/company';

const CLIENTS = 1000;
/** The demo company's key. */
const TOKEN = 'demo-key-one';
const NUMBER = '+15550100001';
const LIMIT = 'emitted by bare Socket.IO through the Redis adapter, the same clients on two servers';

const target = (of: Target['of'], is: Target['is'], value: number): Target => ({ of, is, value });

export const companyEventsSuite: Suite = {
  benchmarks: [
    // First, because the first benchmark is warmed up longest and no other one runs the code of this POST.
    {
      name: 'company-post',
      about: `${CLIENTS} sockets on two nodes, from POST …/messages to receipt, one text outstanding`,
      limit: LIMIT,
      unit: 'delivery',
      figures: [P50, { ...P95, target: target('excess', 'at most', 25) }],
    },
    {
      name: 'company-events',
      about: `${CLIENTS} sockets on two nodes, eight committed events outstanding`,
      limit: LIMIT,
      unit: 'delivery',
      figures: [{ ...RATE, target: target('ratio', 'at least', 0.7) }, cpuOf('server')],
    },
    {
      name: 'company-latency',
      about: `${CLIENTS} sockets on two nodes, from commit to receipt, one event outstanding`,
      limit: LIMIT,
      unit: 'delivery',
      figures: [P50, { ...P95, target: target('ratio', 'at most', 2) }],
    },
  ],
  async open(bench) {
    const { redisUrl, environment, redis, mariadb } = bench;
    const key = `${environment['NAMESPACE']}:bare`;
    const bares = await Promise.all(
      [1, 2].map(() => startProgram<BareCompany>('programs/bare/company', { redisUrl, key })),
    );
    const nodes = await Promise.all([startNode(bench), startNode(bench)]);
    const [bareLoad, ownLoad] = await Promise.all([
      startProgram<CompanySockets>('load/company-sockets', {
        ports: bares.map(({ ready }) => ready.port),
        clients: CLIENTS,
        token: TOKEN,
        tellers: { tell: { kind: 'bare', redisUrl, key } },
      }),
      startProgram<CompanySockets>('load/company-sockets', {
        ports: nodes.map(({ port }) => port),
        clients: CLIENTS,
        token: TOKEN,
        tellers: {
          tell: { kind: 'commit', environment, companyId: await companyOf(bench) },
          post: { kind: 'post', port: nodes[0]!.port, conversation: await beginConversation(nodes[0]!) },
        },
      }),
    ]);
    const limit = (outstanding: number): Side => ({
      watched: [watchProcess('server', bares[0]!), redis, watchProcess('load', bareLoad)],
      run: (milliseconds) => bareLoad.run({ milliseconds, teller: 'tell', outstanding }),
    });
    const ours = (outstanding: number, teller = 'tell'): Side => ({
      watched: [watchProcess('server', nodes[0]!), redis, ...mariadb, watchProcess('load', ownLoad)],
      run: (milliseconds) => ownLoad.run({ milliseconds, teller, outstanding }),
    });
    return pairsByName({
      'company-events': { limit: limit(8), ours: ours(8) },
      'company-latency': { limit: limit(1), ours: ours(1) },
      'company-post': { limit: limit(1), ours: ours(1, 'post') },
    });
  },
};

async function companyOf({ databaseUrl }: Bench): Promise<string> {
  const database = await createConnection(databaseUrl);
  const [[row]] = (await database.query('SELECT id FROM tel_companies WHERE name = ?', [
    'Example Telecom',
  ])) as unknown as [[{ id: string }]];
  await database.end();
  return row.id;
}

async function beginConversation({ port }: NodeProcess): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/texting/conversations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'X-User-Id': 'primary', 'Content-Type': 'application/json' },
    body: JSON.stringify({ from_number: NUMBER, recipients: [{ number: '+15550201234' }] }),
  });
  const { id, detail } = (await answer.json()) as { id?: string; detail?: string };
  if (id === undefined) throw new Error(`no conversation could be begun: ${detail}`);
  return id;
}
