/** What telephony is made of in one process: built once where the product is opened, and handed to what uses it. */
import { CachedReads } from '../kernel/cached-reads';
import type { Gate } from '../kernel/gate';
import type { Kernel } from '../kernel/kernel';
import { openMailer, type Mailer } from '../kernel/mail/mailer';
import { BurstWakes } from '../kernel/mailbox/burst-wakes';
import { OutboundHttp } from '../kernel/outbound/outbound-http';
import { Replies } from '../kernel/replies';
import { openBatchWriter, type BatchWriter } from '../kernel/mysql/batch-writer';
import { carrierCalls } from './actors/mailboxes';
import { PbxDrivers } from './actors/pbx-instance/drivers';
import { openTextsUnderWay } from './actors/texts-under-way';
import type { CarrierAccount } from './model/texting/carrier-account';
import { OPERATIONS_CHANNEL, type Answered } from './model/extensions/operation';
import type { TelephonySettings } from './settings';
import * as calls from './store/texting/carrier-calls';
import { answeredAmong } from './store/extensions/operations';

export interface Telephony {
  readonly kernel: Kernel;
  readonly settings: TelephonySettings;
  /** Requests that wait for an operation on a PBX. */
  readonly answers: Replies<Answered>;
  readonly drivers: PbxDrivers;
  /** Accounts with carriers by the hash of their webhook token. */
  readonly carrierAccounts: CachedReads<string, CarrierAccount | undefined>;
  /** Writes the calls of carriers that come at the same time together. */
  readonly callWriter: BatchWriter<calls.NewCall>;
  /** Wakes the readers of carriers' calls. */
  readonly callWakes: BurstWakes;
  /** Texts on their way to carriers; one carrier account has few at a time. */
  readonly textsUnderWay: Gate;
  readonly mailer: Mailer;
  /** For addresses that companies name. */
  readonly outbound: OutboundHttp;
}

/** An account that was removed may still be called for so long. */
const CARRIER_ACCOUNTS = { ttlMs: 2000, entries: 10_000, bytes: 8 * 1024 * 1024, valueBytes: 500 };

export const openTelephony = (kernel: Kernel, settings: TelephonySettings): Telephony => ({
  kernel,
  settings,
  answers: new Replies<Answered>(kernel, {
    channel: OPERATIONS_CHANNEL,
    among: (ids) => answeredAmong(kernel.mysql, ids),
  }),
  drivers: new PbxDrivers(kernel),
  carrierAccounts: new CachedReads(CARRIER_ACCOUNTS),
  callWriter: openBatchWriter({
    write: (rows) => calls.insert(kernel.mysql, rows),
    weigh: ({ body }) => Buffer.byteLength(body),
  }),
  callWakes: new BurstWakes(kernel, carrierCalls),
  textsUnderWay: openTextsUnderWay(),
  mailer: openMailer(settings, kernel.log),
  outbound: new OutboundHttp({
    networks: settings.outboundNetworks,
    hosts: settings.outboundHosts,
    count: kernel.metrics.counter(
      'partyline_outbound_requests_total',
      'Requests to addresses that users name, by how they ended',
      ['outcome'],
    ),
  }),
});
