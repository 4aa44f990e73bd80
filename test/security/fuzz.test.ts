import { bearer } from '../support/http/client';
import { seedDemo } from '../../src/chat/commands/demo/seed-demo';
import type { TestNode } from '../support/kernel/cluster';
import { operator } from '../support/operators';
import { openTelephony, type TelephonyStack } from '../support/telephony/telephony';
import { dice, fuzzed, tryOne, type Finding } from './fuzz';
import { routesOf, type RouteOfDocument } from '../access/routes';

let stack: TelephonyStack;
let node: TestNode;
let attackers: Readonly<Record<string, Attacker>>;

/** npm run attack sends as many as a penetration test would. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? '2500');
const SEED = Number(process.env['FUZZ_SEED'] ?? '4711');
/** These end the caller, or wait for something that never comes. */
const LEFT_OUT = new Set([
  'DELETE /api/v1/users/me',
  'POST /api/v1/users/me/api_key/regenerate',
  'POST /api/v1/realm/deactivate',
  'GET /api/v1/events',
  'PATCH /api/v1/settings',
]);

beforeAll(async () => {
  stack = await openTelephony({ LOGIN_LIMIT: 'off' });
  ({ node } = stack);
  await seedDemo(node.kernel);
  attackers = await openAttackers();
});
afterAll(() => stack.close());

interface Attacker {
  readonly headers: Record<string, string>;
  readonly known: Readonly<Record<string, string>>;
}

async function openAttackers(): Promise<Record<string, Attacker>> {
  const { ids } = stack.people;
  const { key } = await operator(node.kernel, node, 'fuzzer', 'read');
  const member = await node.basic('member@example.com');
  const { body } = await node.call('/api/v1/streams', { headers: member });
  const stream = body.streams[0] as { stream_id: number; name: string };
  const said = { type: 'stream', to: stream.name, topic: 'x', content: 'x' };
  const message = (await node.call('/api/v1/messages', { headers: member, form: said })).body.id;
  return {
    chat: {
      headers: member,
      known: {
        stream_id: String(stream.stream_id),
        message_id: String(message),
        stream: stream.name,
        email: 'other@example.com',
        type: 'stream',
        to: stream.name,
        topic: 'x',
        content: 'hello',
        anchor: '0',
        num_before: '2',
        num_after: '2',
        integration: 'helloworld',
      },
    },
    telephony: {
      headers: bearer('demo-key-one'),
      known: { contact_id: ids.member, instance_uuid: '00000000-0000-4000-8000-000000000001', carrier: 'simulated' },
    },
    ops: { headers: { Authorization: `Bearer ${key}` }, known: { queue: 'chat-search', work_queue: 'deliveries' } },
  };
}

function describeFinding({ fuzzed: { route, path, ask }, answer }: Finding): string {
  const { query, form, json } = ask;
  return `${route}: ${answer.status} ${answer.text.slice(0, 200)} <- ${JSON.stringify({ path, query, form, json }).slice(0, 600)}`;
}

test.each(['chat', 'telephony', 'ops'])(
  'Hostile values in every place of every route of %s get an answer in its envelope, never a 500',
  async (product) => {
    const { headers, known } = attackers[product]!;
    const routes: RouteOfDocument[] = (await routesOf(node, product)).filter(({ name }) => !LEFT_OUT.has(name));
    const pick = dice(SEED);
    const findings = new Map<string, string>();
    for (let sent = 0; sent < REQUESTS / 3; sent += 8) {
      const batch = Array.from({ length: 8 }, (_, place) =>
        fuzzed(routes[(sent + place) % routes.length]!, pick, known),
      );
      for (const finding of await Promise.all(batch.map((each) => tryOne(node, headers, each)))) {
        if (finding && !findings.has(finding.fuzzed.route)) {
          findings.set(finding.fuzzed.route, describeFinding(finding));
        }
      }
    }
    expect([...findings.values()]).toEqual([]);
  },
  REQUESTS * 100 + 120_000,
);
