/** Texts through carriers for tests: a node, the demo companies, and accounts whose API is a server of the test. */
import { productsOf } from '../../../src/products';
import { seedDemo } from '../../../src/telephony/commands/seed-demo';
import { addCarrierAccount, addTextNumber } from '../../../src/telephony/commands/texting/change-carriers';
import type { CarrierAccount, CarrierName, Credentials } from '../../../src/telephony/model/texting/carrier-account';
import type { TextingSettings } from '../../../src/telephony/settings';
import { openPeople, type People } from '../../api/telephony/people';
import { credentialsFor } from './carrier-apis';
import { startCarrierServer, type CarrierServer } from './carrier-server';
import { openCluster, type Cluster, type Environment, type TestNode } from '../kernel/cluster';
import { telephonyIn } from '../kernel/parts';
import { until } from '../until';
import { startWorkersOf } from '../kernel/workers';

export interface Message {
  readonly id: string;
  readonly text: string;
  readonly status: string;
  readonly direction: string;
  readonly error: { code: string; detail: string } | null;
}

export interface CarrierStack {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly people: People;
  readonly carrier: CarrierServer;
  /** Moves a number of Example Telecom to an account with a carrier, whose API is the test's server. */
  connect(carrier: CarrierName, number: string, credentials?: Credentials): Promise<CarrierAccount>;
  /** Starts a conversation of Example Telecom. */
  converse(from: string, to: string): Promise<Conversation>;
  /** In the process of the test. */
  startWorkers(...names: readonly string[]): Promise<void>;
  /** Runs the work while the node and those workers have other times than usual. */
  within<T>(times: Partial<TextingSettings>, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** So long that only a hanging call exceeds it, on any machine. */
const PATIENT: Environment = { CARRIER_CALL_MS: '60000', CARRIER_UNKNOWN_MS: '600000', JOB_LOCK_MS: '60000' };

export interface Conversation {
  readonly id: string;
  /** Sends a text and returns its id. */
  send(text: string, more?: object): Promise<string>;
  /** In the order in which they were written. */
  messages(): Promise<Message[]>;
  /** Waits until the text has this status. */
  reaches(id: string, status: string): Promise<Message>;
}

export async function openCarrierStack(more: Environment = {}): Promise<CarrierStack> {
  const carrier = await startCarrierServer();
  const cluster = await openCluster({ RATE_LIMIT: 'off', SWEEP_AFTER_MS: '300', ...PATIENT, ...more });
  await seedDemo(await cluster.kernel(), 'http://127.0.0.1:9981');
  // One settings object for all, so that a test can change the times of all.
  const products = productsOf(cluster.config());
  const node = await cluster.node({}, () => products);
  const { settings } = telephonyIn(node);
  const usual = { ...settings };
  const people = await openPeople(node);
  return {
    cluster,
    node,
    people,
    carrier,
    async connect(name, number, credentials = credentialsFor(name)) {
      const { id: companyId } = await node.kernel.mysql('tel_companies').where({ name: 'Example Telecom' }).first('id');
      const account = await addCarrierAccount(node.kernel, {
        companyId,
        carrier: name,
        credentials,
        apiUrl: carrier.url,
      });
      await addTextNumber(node.kernel, { number, accountId: account.id, label: '' });
      return account;
    },
    async converse(from, to) {
      const draft = { recipients: [{ number: to }], from_number: from, conversation_type: 'direct' };
      const { body } = await people.owner('POST', '/texting/conversations', draft);
      return conversationAt(people, body.id);
    },
    async startWorkers(...names) {
      await startWorkersOf(cluster, products, names);
    },
    within(times, work) {
      Object.assign(settings, times);
      return work().finally(() => Object.assign(settings, usual));
    },
    async close() {
      await cluster.close();
      await carrier.close();
    },
  };
}

function conversationAt({ owner }: People, id: string): Conversation {
  const path = `/texting/conversations/${id}/messages`;
  const messages = async (): Promise<Message[]> => [...(await owner('GET', `${path}?per_page=1000`)).body].reverse();
  return {
    id,
    messages,
    async send(text, more) {
      const { status, body } = await owner('POST', path, { text, ...more });
      if (status !== 201) throw new Error(`not sent: ${JSON.stringify(body)}`);
      return body.id as string;
    },
    async reaches(textId, status) {
      const found = () => messages().then((all) => all.find((each) => each.id === textId)!);
      return until(found, (each) => each.status === status);
    },
  };
}
