/** The two demo companies, and events published to them without a cause. */
import type { Kernel } from '../../../src/kernel/kernel';
import { seedDemo } from '../../../src/telephony/commands/seed-demo';
import { companyDelivery } from '../../../src/telephony/model/companies/company-event';
import type { WireText } from '../../../src/telephony/model/answers/texting';
import type { CompanyId } from '../../../src/telephony/model/companies/company';
import { openCluster, type Cluster, type Environment } from '../kernel/cluster';
import { receivedBy, type TestSocket } from '../http/sockets';

export const KEY_ONE = 'demo-key-one';
export const KEY_TWO = 'demo-key-two';

export interface Companies {
  readonly one: CompanyId;
  readonly two: CompanyId;
}

/** A cluster without rate limits. */
export const openPatientCluster = (more: Environment = {}): Promise<Cluster> =>
  openCluster({ RATE_LIMIT: 'off', ...more });

export async function seedCompanies(cluster: Cluster): Promise<Companies> {
  const kernel = await cluster.kernel();
  await seedDemo(kernel, 'http://127.0.0.1:9981');
  const idOf = async (name: string) =>
    ((await kernel.mysql('tel_companies').where({ name }).first('id')) as { id: CompanyId }).id;
  return { one: await idOf('Example Telecom'), two: await idOf('Other Telecom') };
}

export const messageOf = (id: string): WireText => ({
  id,
  company_id: 'company',
  conversation_id: 'c',
  conversation_type: 'direct',
  campaign_info: null,
  direction: 'inbound',
  text: 'hi',
  files: [],
  from_number: '+15550100001',
  contact: null,
  user_id: null,
  stamp_id: null,
  status: 'received',
  segments: 1,
  error: null,
  is_read: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

export const messageDelivery = (kernel: Kernel, companyId: CompanyId, id: string): Promise<void> =>
  kernel.transaction(async (tx) => tx.deliver(companyDelivery(companyId, 'texting.message.new', messageOf(id))));

/** The ids of the messages that a socket received. */
export const messagesReceived = (socket: TestSocket): string[] =>
  socket.named('texting.message.new').map(({ args }) => (args[0] as { id: string }).id);

/** The numbers of the events that a socket received. */
export const numbersReceived = (socket: TestSocket): number[] =>
  receivedBy(socket).map(({ args }) => (args[1] as { seq: number }).seq);
