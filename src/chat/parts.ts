/** Chat's shared parts in one process. They are built once, when the product is opened. */
import { Cache } from '../kernel/cache/cache';
import { CachedReads } from '../kernel/cache/cached-reads';
import { fairRule, Gate } from '../kernel/admission/gate';
import type { Kernel, Storage } from '../kernel/kernel';
import type { Mailer } from '../kernel/mail/mailer';
import { openNotedMailer } from '../kernel/mail/noted-mailer';
import { openOpenId, type OpenId } from '../kernel/openid/openid';
import { OutboundHttp } from '../kernel/outbound/outbound-http';
import { openPictures, type Pictures } from '../kernel/pictures/pictures';
import { openPush, type OpenPush } from '../kernel/push/open-push';
import type { Keyspace } from '../kernel/redis/connections';
import { QueueCache } from './actors/event-queue/queue-cache';
import { QueueTouches } from './actors/event-queue/touches';
import { OpenRealms } from './actors/recent-events/open-realms';
import { ChangedUsers } from './caches/changed-users';
import { ExternalPictures } from './caches/external-pictures';
import { ConversationCache, TopicCache } from './caches/message-places';
import { RealmDirectory } from './caches/realm-directory';
import { CallerCache } from './caches/caller-cache';
import { type FollowedCaches, openFollowedCaches } from './caches/followed-caches';
import { AudienceCache } from './caches/stream-audiences';
import type { TooLong } from './model/messages/draft';
import { rootDomainOf } from './model/organisation/address';
import type { RealmId } from './model/organisation/realm';
import type { User, UserId } from './model/users/user';
import { openRenderer, type Renderer } from './rendering/renderer';
import type { ChatSettings, MailSettings } from './settings';
import type { BotSignature } from './store/bots/bot-signatures';
import { openDeliveryWriter, type DeliveryWriter } from './store/bots/deliveries';
import { MessageWriters } from './store/messages/message-packet';

/** What sending a message takes. */
export interface Sending
  extends
    Storage,
    Pick<Kernel, 'jobs' | 'lifecycle' | 'log' | 'pause'>,
    Pick<FollowedCaches, 'muters' | 'vocabularies'> {
  readonly realms: RealmDirectory;
  readonly topics: TopicCache;
  readonly audiences: AudienceCache;
  readonly conversations: ConversationCache;
  readonly renderer: Renderer;
  readonly tooLong: TooLong;
  /** Whether an organisation previews the pages that its messages link to. */
  readonly previewRealms: CachedReads<RealmId, boolean>;
  /** An organisation's active outgoing webhook bots. */
  readonly outgoingBots: CachedReads<RealmId, ReadonlySet<UserId>>;
  readonly messageWriters: MessageWriters;
  /** The bots that send messages on the server's behalf. */
  readonly systemBots: Cache<RealmId, User>;
}

/** What rendering the content of a message takes. */
export type Rendering = Storage & Pick<Sending, 'realms' | 'renderer' | 'vocabularies'>;

/** What creating accounts and setting their passwords takes. */
export type Enrolling = Storage & Pick<Kernel, 'passwords' | 'settings'>;

/** What finding out who calls takes. */
export interface Authentication extends Storage, Pick<Kernel, 'keys' | 'log'> {
  readonly realms: RealmDirectory;
  readonly callers: CallerCache;
  readonly changedUsers: ChangedUsers;
  readonly polls: OpenRealms;
  /** A session ends after this many days without use. */
  readonly sessionDays: number;
}

/** What receiving the deliveries of external services takes. */
export interface Receiving extends Storage, Keyspace {
  readonly webhookBots: CachedReads<string, User>;
  /** By bot and stream. */
  readonly inboxes: CachedReads<string, Inbox>;
  /** Counts deliveries with a wrong signature. */
  readonly refusedSignatures: (labels: { readonly scheme: string }) => void;
  readonly deliveryWriter: DeliveryWriter;
  /** Recent count of the deliveries that wait for each bot. */
  readonly backlogs: Cache<UserId, Backlog>;
}

/** The kernel's parts, and chat's own. */
export interface Chat extends Kernel, Sending, Authentication, Receiving, FollowedCaches {
  readonly openid: OpenId;
  readonly pictures: Pictures;
  /** HTTP client for URLs that users supply. */
  readonly outbound: OutboundHttp;
  readonly externalPictures: ExternalPictures;
  readonly queues: QueueCache;
  readonly touches: QueueTouches;
  /** Limits how many registrations read their initial state at once. */
  readonly registrations: Gate;
  readonly mail: ChatMail;
  readonly push: OpenPush;
}

export interface ChatMail {
  readonly mailer: Mailer;
  readonly settings: MailSettings;
}

/** What accepting a delivery to a bot takes of the database. */
export interface Inbox {
  /** How deliveries must be signed; null if the API key alone is enough. */
  readonly signature: BotSignature | null;
  /** Whether the organisation has a stream of the delivery's name. */
  readonly isStreamThere: boolean;
  readonly backlog: Backlog;
}

export interface Backlog {
  count: number;
  at: number;
}

const SYSTEM_BOTS = { entries: 10_000, bytes: 8 * 1024 * 1024, ttlMs: 600_000, weigh: () => 600 };
/** A burst of deliveries queries MySQL once. A revoked key stays valid for up to the TTL. */
const WEBHOOK_BOTS = { ttlMs: 1000, entries: 10_000, bytes: 8 * 1024 * 1024, valueBytes: 400 };
/** A replaced secret stays valid, and a renamed stream is found under its old name, for up to the TTL. */
const INBOXES = { ttlMs: 1000, entries: 10_000, bytes: 8 * 1024 * 1024, valueBytes: 500 };
/** A changed setting takes effect after at most the TTL. */
const PREVIEW_REALMS = { ttlMs: 1000, entries: 10_000, bytes: 4 * 1024 * 1024 };
/** A bot created on another node receives messages after at most the TTL. */
const OUTGOING_BOTS = { ttlMs: 1000, entries: 10_000, bytes: 4 * 1024 * 1024 };
const BACKLOGS = { entries: 10_000, bytes: 4 * 1024 * 1024, ttlMs: 600_000 };

type OpeningSettings = Pick<ChatSettings, 'publicUrl' | 'externalHost' | 'chatTruncate' | keyof MailSettings> &
  Partial<
    Pick<ChatSettings, 'outboundNetworks' | 'outboundHosts' | 'sessionDays' | 'openidCallMs' | 'push' | 'pushPauseMs'>
  >;

export function openChat(kernel: Kernel, settings: OpeningSettings): Chat {
  const { mysql, log, lifecycle } = kernel;
  const { publicUrl, externalHost, chatTruncate, sessionDays = 30, openidCallMs = 5000 } = settings;
  const { push = 'on', pushPauseMs = 5000 } = settings;
  const callers = new CallerCache();
  const changedUsers = new ChangedUsers();
  const queues = new QueueCache(kernel);
  const followed = openFollowedCaches(mysql, callers);
  const renderer = openRenderer(log);
  lifecycle.on('connections', 'renderer', () => renderer.close());
  const outbound = openOutbound(kernel, settings);
  const pictures = openPictures();
  lifecycle.on('connections', 'pictures', () => pictures.close());
  return {
    ...kernel,
    realms: new RealmDirectory(kernel, { publicUrl, rootDomain: rootDomainOf(externalHost, publicUrl) }),
    callers,
    sessionDays,
    openid: openOpenId({ callMs: openidCallMs, outbound }),
    changedUsers,
    topics: new TopicCache(mysql),
    audiences: new AudienceCache(mysql),
    conversations: new ConversationCache(mysql),
    ...followed,
    renderer,
    pictures,
    tooLong: chatTruncate === 'on' ? 'cut' : 'refuse',
    outbound,
    externalPictures: new ExternalPictures(outbound),
    previewRealms: new CachedReads(PREVIEW_REALMS),
    outgoingBots: new CachedReads(OUTGOING_BOTS),
    messageWriters: new MessageWriters(kernel),
    queues,
    touches: new QueueTouches(kernel, queues),
    polls: new OpenRealms({ kernel, queues, callers, changedUsers, followedReads: followed.followedReads }),
    // After an outage all clients register at once. The gate leaves MySQL connections for other requests. Registrations
    // of one user run one after the other: several at once would slow those of others down.
    registrations: new Gate({ ...fairRule(kernel.settings.mysqlConnections), callerAtOnce: 1 }),
    systemBots: new Cache(SYSTEM_BOTS),
    webhookBots: new CachedReads(WEBHOOK_BOTS),
    inboxes: new CachedReads(INBOXES),
    refusedSignatures: kernel.metrics.counter(
      'partyline_webhook_signatures_refused_total',
      'Deliveries of external services whose signature was wrong or missing',
      ['scheme'],
    ),
    deliveryWriter: openDeliveryWriter(mysql),
    backlogs: new Cache(BACKLOGS),
    mail: { mailer: openNotedMailer(kernel, settings), settings },
    push: openPush(kernel, outbound, { publicUrl, mailFrom: settings.mailFrom, push, pushPauseMs }),
  };
}

function openOutbound(
  { metrics }: Kernel,
  { outboundNetworks = [], outboundHosts = {} }: OpeningSettings,
): OutboundHttp {
  const count = metrics.counter(
    'partyline_outbound_requests_total',
    'Requests to addresses that users name, by how they ended',
    ['outcome'],
  );
  return new OutboundHttp({ networks: outboundNetworks, hosts: outboundHosts, count });
}
