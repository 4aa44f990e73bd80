/** Telephony's shared parts. Each process builds them once, when it opens the product. */
import { CachedReads } from '../kernel/cache/cached-reads';
import { Fault } from '../kernel/fault';
import { Gate } from '../kernel/admission/gate';
import { Busy } from '../kernel/jobs/busy';
import type { Kernel, Storage } from '../kernel/kernel';
import type { Mailer } from '../kernel/mail/mailer';
import { openKeepingMailer } from '../kernel/mail/noted-mailer';
import { openBatchWriter, type BatchWriter } from '../kernel/mysql/batch-writer';
import { OutboundHttp } from '../kernel/outbound/outbound-http';
import { openPush, type OpenPush } from '../kernel/push/open-push';
import { Replies } from '../kernel/replies';
import { KeyCallers } from './caches/key-callers';
import { PbxDrivers } from './actors/pbx-instance/drivers';
import { OPERATIONS_CHANNEL, type Answered } from './model/extensions/operation';
import type { CarrierAccount } from './model/texting/carrier-account';
import type { TelephonySettings } from './settings';
import { answeredAmong } from './store/extensions/operations';
import * as calls from './store/texting/carrier-calls';

/** What ordering something of a PBX takes. */
export interface Ordering extends Storage, Pick<Kernel, 'jobs' | 'pause'> {
  readonly settings: TelephonySettings;
  /** Requests that wait for the result of a PBX operation. */
  readonly answers: Replies<Answered>;
  /** Limits how many requests wait for one PBX, and for all. */
  readonly ordersUnderWay: Gate;
}

/** What receiving the calls of carriers takes. */
export interface CarrierCalls extends Storage, Pick<Kernel, 'keys'> {
  readonly settings: TelephonySettings;
  /** Carrier accounts, keyed by the hash of their webhook token. */
  readonly carrierAccounts: CachedReads<string, CarrierAccount | undefined>;
  /** Batches the inserts of carrier calls that arrive at the same time. */
  readonly callWriter: BatchWriter<calls.NewCall>;
}

/** The kernel's parts, and telephony's own. */
export interface Telephony extends Kernel, Ordering, CarrierCalls {
  readonly settings: TelephonySettings;
  /** Who calls with an API key. */
  readonly keyCallers: KeyCallers;
  readonly drivers: PbxDrivers;
  /** Limits how many texts of one carrier account are in flight. */
  readonly textsUnderWay: Gate;
  readonly mailer: Mailer;
  /** HTTP client for URLs that companies configure. */
  readonly outbound: OutboundHttp;
  readonly push: OpenPush;
}

/** A removed account may still be served from the cache for this long. */
const CARRIER_ACCOUNTS = { ttlMs: 2000, entries: 10_000, bytes: 8 * 1024 * 1024, valueBytes: 500 };

export function openTelephony(kernel: Kernel, settings: TelephonySettings): Telephony {
  const outbound = openOutbound(kernel, settings);
  return {
    ...kernel,
    settings,
    answers: new Replies<Answered>(kernel, {
      channel: OPERATIONS_CHANNEL,
      among: (ids) => answeredAmong(kernel.mysql, ids),
    }),
    ordersUnderWay: openOrdersUnderWay(),
    keyCallers: new KeyCallers(kernel),
    drivers: new PbxDrivers(kernel),
    carrierAccounts: new CachedReads(CARRIER_ACCOUNTS),
    callWriter: openBatchWriter({
      write: (rows) => calls.insert(kernel.mysql, rows),
      weigh: ({ body }) => Buffer.byteLength(body),
    }),
    textsUnderWay: openTextsUnderWay(),
    mailer: openKeepingMailer(kernel, settings),
    outbound,
    push: openPush(kernel, outbound, settings),
  };
}

const openOutbound = ({ metrics }: Kernel, { outboundNetworks, outboundHosts }: TelephonySettings): OutboundHttp =>
  new OutboundHttp({
    networks: outboundNetworks,
    hosts: outboundHosts,
    count: metrics.counter(
      'partyline_outbound_requests_total',
      'Requests to addresses that users name, by how they ended',
      ['outcome'],
    ),
  });

const MAX_WAITING = 500;
const MAX_WAITING_FOR_ONE_PBX = 100;

/** So that a PBX that hangs leaves room for the orders of others. */
const openOrdersUnderWay = (): Gate =>
  new Gate({
    atOnce: MAX_WAITING,
    callerAtOnce: MAX_WAITING_FOR_ONE_PBX,
    waiting: 0,
    refusal: () => new Fault('unavailable', 'Too many orders are waiting', { headers: { 'Retry-After': '2' } }),
    refusedAtOnce: Infinity,
  });

const MAX_CALLS = 20;
const CROWDED_MS = 200;

class Crowded extends Busy {
  constructor() {
    super('many texts are on their way to this carrier', CROWDED_MS);
  }
}

/** So that a hanging carrier leaves slots for others. */
const openTextsUnderWay = (): Gate =>
  new Gate({
    atOnce: Infinity,
    callerAtOnce: MAX_CALLS,
    waiting: 0,
    refusal: () => new Crowded(),
    refusedAtOnce: Infinity,
  });
