/** Previews of linked pages: from the cache, or fetched. */
import { createHash } from 'node:crypto';
import { redisKey, tenantOf } from '../../../kernel/actor/address';
import { OutboundError } from '../../../kernel/outbound/outbound-error';
import type { OutboundResponse } from '../../../kernel/outbound/outbound-http';
import type { Keyspace } from '../../../kernel/redis/connections';
import type { LinkPreview } from '../../model/markdown/context';
import { type RealmId, realmTenant } from '../../model/organisation/realm';
import { decodePage, pagePreview } from '../../model/pages/page-preview';
import { externalPath } from '../../model/uploads/external-picture';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';

type Parts = Keyspace & Pick<Chat, 'log' | 'outbound' | 'secrets'>;

/** Enough for the head of any page. The rest is not read. */
const MAX_BYTES = 512 * 1024;
const LIMITS = { bodyBytes: MAX_BYTES, tooLarge: 'cut', totalMs: 10_000, idleMs: 5000, redirects: 5 } as const;
const HEADERS = { 'User-Agent': 'Partyline link preview', Accept: 'text/html,application/xhtml+xml' };

/** A preview is at most about 2 kB. With the fetch limit, an organisation's previews fill at most some megabytes. */
const SHOWN_SECONDS = 3600;
const EMPTY_SECONDS = 600;
/** Pages fetched per organisation and minute. Further links get no preview. */
const MAX_FETCHES = 60;
const FETCH_SECONDS = 60;

export interface Requested {
  readonly realmId: RealmId;
  readonly pages: readonly string[];
  readonly signal: AbortSignal;
}

/** Keyed by the URL in the link. Pages without a preview are left out. Pictures have their paths on this server. */
export async function findPreviews(chat: Parts, { pages, ...requested }: Requested): Promise<Map<string, LinkPreview>> {
  const { secrets } = chat;
  const shown = (preview: LinkPreview): LinkPreview => ({ ...preview, image: externalPath(secrets, preview.image) });
  const found = await Promise.all(
    pages.map(async (page) => [page, await findPreview(chat, page.replace(/#.*$/s, ''), requested)] as const),
  );
  return new Map(found.flatMap(([page, preview]) => (preview ? [[page, shown(preview)] as const] : [])));
}

async function findPreview(
  chat: Keyspace & Pick<Chat, 'log' | 'outbound'>,
  url: string,
  requested: Omit<Requested, 'pages'>,
): Promise<LinkPreview | null> {
  const { redis, namespace } = chat;
  const id = createHash('sha256').update(url).digest('base64url');
  // Shared by all organisations: a page is the same for each.
  const key = redisKey(namespace, { tenant: tenantOf('chat', 'pages'), kind: 'preview', id });
  const cached = await redis.commands.get(key);
  if (cached !== null) return JSON.parse(cached) as LinkPreview | null;
  if (!(await mayFetch(chat, requested.realmId))) return null;
  const preview = await fetchPreview(chat, url, requested.signal);
  await redis.commands.set(key, JSON.stringify(preview), 'EX', preview ? SHOWN_SECONDS : EMPTY_SECONDS);
  return preview;
}

async function mayFetch({ redis, namespace }: Keyspace, realmId: RealmId): Promise<boolean> {
  const key = redisKey(namespace, { tenant: realmTenant(realmId), kind: 'fetched-pages', id: '' });
  const replies = await redis.commands.multi().set(key, 0, 'EX', FETCH_SECONDS, 'NX').incr(key).exec();
  const [error, count] = replies?.[1] ?? [new Error('Redis did not count'), 0];
  if (error) throw error;
  return Number(count) <= MAX_FETCHES;
}

/** Returns null if the page cannot be fetched or has no preview. */
async function fetchPreview(
  chat: Pick<Chat, 'log' | 'outbound'>,
  url: string,
  signal: AbortSignal,
): Promise<LinkPreview | null> {
  try {
    const response = await chat.outbound.send({ url, method: 'GET', headers: HEADERS, limits: LIMITS, signal });
    return readPage(response) ?? null;
  } catch (error) {
    // An aborted fetch says nothing about the page. Another process tries again.
    if (!(error instanceof OutboundError) || signal.aborted || error.trouble === 'busy') throw error;
    chat.log.debug({ trouble: error.trouble }, 'could not fetch a linked page');
    return null;
  }
}

function readPage({ status, headers, body, url }: OutboundResponse): LinkPreview | undefined {
  if (status < 200 || status > 299) return undefined;
  const page = decodePage(headers['content-type'], body);
  return page === undefined ? undefined : pagePreview(page, url);
}

/** Whether a message's linked pages get previews. As in Zulip, those of bots get none. */
export async function wantsPreviews(
  chat: Pick<Chat, 'mysql' | 'previewRealms'>,
  by: User,
  pages: readonly string[],
): Promise<boolean> {
  if (pages.length === 0 || by.botType !== null) return false;
  return chat.previewRealms.get(
    by.realmId,
    async () => (await realms.byId(chat.mysql, by.realmId))?.settings.inline_url_embed_preview === true,
  );
}
