/** Texting for tests: the demo companies and their numbers, outside senders, and the events of companies. */
import { SOCKET_PUBLISHER } from '../../../src/kernel/event-log/socket-events';
import { newId } from '../../../src/kernel/id';
import type { Kernel } from '../../../src/kernel/kernel';
import { receiveText, type Received } from '../../../src/telephony/commands/texting/receive-text';
import { companyTenant, type CompanyId } from '../../../src/telephony/model/companies/company';
import { readCompanyEvent } from '../../../src/telephony/model/companies/company-event';
import type { CarrierAccountId, E164, InboundText } from '../../../src/telephony/model/texting/texting';
import * as numbers from '../../../src/telephony/store/texting/text-numbers';
import { openPeople, type People } from '../../api/telephony/people';
import type { Answer } from '../http/client';
import { openCluster, type Cluster, type Environment, type TestNode } from '../kernel/cluster';

export const OURS = '+15550100001' as E164;
export const STRANGERS = '+15550100002' as E164;

export interface PublishedEvent {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
  readonly payload: any;
}

export interface Texting {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly kernel: Kernel;
  readonly people: People;
  readonly ids: { readonly one: CompanyId; readonly two: CompanyId };
  /** A number nobody has used yet. */
  someone(): E164;
  /** A text from outside. */
  receive(text: Partial<InboundText>): Promise<Received>;
  /** Starts a direct conversation of the first company, and returns its id. */
  begin(number?: string): Promise<string>;
  send(conversation: string, text: string, more?: object): Promise<Answer>;
  /** Runs the work and returns the events that were published to a company meanwhile, in order. */
  publishedBy(company: CompanyId, work: () => Promise<unknown>): Promise<PublishedEvent[]>;
  close(): Promise<void>;
}

export async function openTexting(more: Environment = {}): Promise<Texting> {
  const cluster = await openCluster({ RATE_LIMIT: 'off', ...more });
  await cluster.seed();
  const node = await cluster.node();
  const { kernel } = node;
  const people = await openPeople(node);
  const companyOf = async (name: string) => {
    const row = (await kernel.mysql('tel_companies').where({ name }).first('id')) as { id: CompanyId };
    return row.id;
  };
  const ids = { one: await companyOf('Example Telecom'), two: await companyOf('Other Telecom') };
  const accounts = new Map([
    [OURS, await ensureNumber(kernel, ids.one, OURS)],
    [STRANGERS, await ensureNumber(kernel, ids.two, STRANGERS)],
  ]);
  let used = 0;
  const someone = () => `+1555020${String((used += 1)).padStart(4, '0')}` as E164;

  return {
    cluster,
    node,
    kernel,
    people,
    ids,
    someone,
    receive: (text) => {
      const to = text.to ?? OURS;
      const account = accounts.get(to as E164) ?? accounts.get(OURS)!;
      const origin = { carrierAccountId: account, carrierMessageId: newId() };
      const blank = { from: someone(), to, text: 'hello', media: [], receivedAt: new Date() };
      return receiveText(kernel, { ...origin, ...blank, ...text });
    },
    async begin(number = someone()) {
      const draft = { recipients: [{ number }], from_number: OURS };
      return ((await people.owner('POST', '/texting/conversations', draft)).body as { id: string }).id;
    },
    send: (conversation, text, rest = {}) =>
      people.owner('POST', `/texting/conversations/${conversation}/messages`, { text, ...rest }),
    async publishedBy(company, work) {
      const rows = () =>
        kernel
          .mysql('kernel_outbox')
          .where({ publisher: SOCKET_PUBLISHER, tenant: companyTenant(company) })
          .orderBy('number');
      const before = (await rows().pluck('id')) as number[];
      await work();
      const after = (await rows().select('id', 'body')) as { id: number; body: string }[];
      return after.filter(({ id }) => !before.includes(id)).map(({ body }) => readCompanyEvent(body));
    },
    close: () => cluster.close(),
  };
}

/** The carrier account of the number. */
async function ensureNumber(kernel: Kernel, companyId: CompanyId, e164: E164): Promise<CarrierAccountId> {
  const known = await numbers.byE164(kernel.mysql, e164);
  if (known) return known.carrierAccountId;
  const carrierAccountId = newId() as CarrierAccountId;
  await numbers.insert(kernel.mysql, { e164, companyId, carrierAccountId, label: '' });
  return carrierAccountId;
}
