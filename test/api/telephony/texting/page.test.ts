// Runs the examples of docs/TEXTING.md, and the texting example of the README, unchanged.
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import {
  KEY_ONE,
  openPatientCluster,
  seedCompanies,
  messageDelivery,
  type Companies,
} from '../../../support/telephony/companies';
import type { Cluster, TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';

const root = join(__dirname, '../../../..');
const page = readFileSync(join(root, 'docs/TEXTING.md'), 'utf8');
const example = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;

let cluster: Cluster;
let node: TestNode;
let companies: Companies;
let child: ChildProcess | undefined;

beforeAll(async () => {
  cluster = await openPatientCluster();
  companies = await seedCompanies(cluster);
  node = await cluster.node();
});
afterAll(async () => {
  child?.kill();
  await cluster.close();
});

test('The example program for Node prints the events of the company', async () => {
  child = spawn(process.execPath, ['--input-type=module', '-e', example('js')], {
    cwd: root,
    env: { ...process.env, PARTYLINE_URL: node.url, PARTYLINE_KEY: KEY_ONE },
  });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (printed += String(chunk)));
  await until(() => printed.includes('authenticated'));
  await messageDelivery(node.kernel, companies.one, 'printed');
  await until(() => printed.includes('texting.message.new'));
  expect(printed).toMatch(/^\d+ texting\.message\.new \{"id":"printed"/m);
});

test('The example page for browsers shows texts, with the client that the node serves', async () => {
  const html = example('html').replaceAll('http://127.0.0.1:9991', node.url);
  const [, source] = /<script src="([^"]+)">/.exec(html)!;
  const [, inline] = /<script>([\s\S]*?)<\/script>/.exec(html)!;
  const client = await fetch(source!);
  expect(client.headers.get('content-type')).toContain('javascript');
  const lines: { textContent: string }[] = [];
  const alert = jest.fn();
  const document = {
    createElement: () => ({ textContent: '' }),
    getElementById: () => ({ append: (line: { textContent: string }) => void lines.push(line) }),
  };
  // The parts of a browser that the client needs.
  const WebSocket = require('ws') as unknown;
  const browser: Record<string, unknown> = { WebSocket, document, alert, setTimeout, clearTimeout, TextDecoder };
  browser['window'] = browser['self'] = browser;
  createContext(browser);
  runInContext(await client.text(), browser);
  runInContext(`${inline}; globalThis.socket = socket;`, browser);
  const socket = browser['socket'] as { connected: boolean; close(): void };
  await until(async () => {
    await messageDelivery(node.kernel, companies.one, 'shown');
    return lines.length > 0;
  });
  socket.close();
  expect(lines[0]!.textContent).toBe('inbound: hi');
  expect(alert).not.toHaveBeenCalled();
});

const hasTools = ['openssl', 'curl'].every((tool) => spawnSync(tool, ['version']).error === undefined);

/** The lines from the body to the call of the carrier. */
const delivery = (path: string) =>
  /^BODY=[\s\S]*?\/webhooks\/texting\/simulated\/\S+$/m.exec(readFileSync(join(root, path), 'utf8'))![0];

(hasTools ? test : test.skip).each(['docs/TEXTING.md', 'README.md'])(
  'The shell lines of %s deliver a text',
  async (path) => {
    const calls = () => node.kernel.mysql('tel_carrier_calls');
    const before = (await calls()).length;
    const lines = delivery(path).replaceAll('http://127.0.0.1:9991', node.url);
    const { stdout } = await promisify(execFile)('sh', ['-c', lines], { env: { ...process.env, BASE: node.url } });
    expect(stdout).toBe('204\n');
    const after = (await calls()) as { body: string }[];
    expect(after).toHaveLength(before + 1);
    expect(JSON.parse(after.at(-1)!.body)).toMatchObject({ to: '+15550100001', text: 'Hello' });
  },
);
