/**
 * Keeps the drafts of this browser on the server too, so that every browser of the account shows the same. A change is
 * saved after a pause; what could not be saved stays marked in the storage, and is saved later. Tabs take turns.
 */
import { api, RequestError } from '../../shared/http/request';
import { showKept } from '../compose/state';
import { chat, useChat } from '../data/store';
import { readStored, writeStored } from '../data/stored';
import type { ServerEvent } from '../data/wire';
import { allDrafts, contentOf, followDrafts, storeDrafts, useDrafts, type Draft } from './drafts';
import { mergeAll, mergeOne, toServer, type ServerDraft } from './merge-drafts';

const SAVE_MS = 2000;
const RETRY_MS = 30_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Ids of drafts that are gone here and not yet on the server. */
const place = (): string => `drafts-gone:${chat().ownId}`;
const goneIds = (): readonly number[] => readStored<number[]>(place(), []);
const putGone = (ids: readonly number[]): void => writeStored(place(), ids.length > 0 ? ids : undefined);

/** One after the other, over all tabs where the browser can say so. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const run = async (): Promise<void> => {
    if (chat().ownId > 0) await work();
  };
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  const turn = last.then(() => (locks ? locks.request(`partyline-${place()}`, run) : run()));
  last = turn.catch(() => undefined);
  return turn;
}

export function startDraftSync(): () => void {
  followDrafts(
    (gone) => {
      if (gone?.serverId !== undefined) putGone([...goneIds(), gone.serverId]);
      saveSoon(SAVE_MS);
    },
    (event) => void inTurn(async () => hear(event)).catch(reportError),
  );
  const stored = (event: StorageEvent): void => {
    if (event.key?.startsWith('partyline:drafts:')) useDrafts.setState(({ version }) => ({ version: version + 1 }));
  };
  addEventListener('storage', stored);
  const unfollow = useChat.subscribe(({ queueId }, before) => {
    if (queueId !== '' && queueId !== before.queueId) void refresh();
  });
  void refresh();
  return () => {
    unfollow();
    clearTimeout(timer);
    removeEventListener('storage', stored);
    followDrafts();
  };
}

/** After a new queue: events may have been missed. */
async function refresh(): Promise<void> {
  try {
    await inTurn(async () => {
      const { drafts } = await api.get<{ drafts: ServerDraft[] }>('/drafts');
      const gone = new Set(goneIds());
      show(
        mergeAll(
          allDrafts(),
          drafts.filter(({ id }) => !gone.has(id)),
        ),
      );
    });
    saveSoon(0);
  } catch {
    // The next queue, or the next change, tries again.
    saveSoon(RETRY_MS);
  }
}

function hear(event: ServerEvent): void {
  const gone = new Set(goneIds());
  if (event.op === 'remove') {
    const id = event['draft_id'];
    return show(allDrafts().filter(({ serverId, isChanged }) => serverId !== id || isChanged));
  }
  const saved = event.op === 'add' ? (event['drafts'] as ServerDraft[]) : [event['draft'] as ServerDraft];
  show(saved.filter(({ id }) => !gone.has(id)).reduce<readonly Draft[]>(mergeOne, allDrafts()));
}

function show(drafts: readonly Draft[]): void {
  storeDrafts(drafts);
  showKept();
}

function saveSoon(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void saveAll(), ms);
}

async function saveAll(): Promise<void> {
  if (!goneIds().length && !allDrafts().some(({ isChanged }) => isChanged)) return;
  try {
    await inTurn(async () => {
      for (const id of goneIds()) await remove(id);
      for (const draft of allDrafts()) if (draft.isChanged) await save(draft);
    });
  } catch {
    saveSoon(RETRY_MS);
  }
}

async function remove(id: number): Promise<void> {
  await refusable(api.remove(`/drafts/${id}`));
  putGone(goneIds().filter((each) => each !== id));
}

async function save(draft: Draft): Promise<void> {
  const { serverId } = draft;
  const wanted = toServer(draft);
  const isThere = serverId !== undefined && (await refusable(api.patch(`/drafts/${serverId}`, { draft: wanted })));
  const answer = isThere ? undefined : await refusable(api.post<{ ids: number[] }>('/drafts', { drafts: [wanted] }));
  note(draft, isThere ? serverId : answer?.ids[0]);
}

/** Undefined if the server refuses: asking again would change nothing. Other failures are passed on. */
async function refusable<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RequestError && !error.isPassing && error.status !== 401) return undefined;
    throw error;
  }
}

/** Remembers under which id the server has it, if any. It may have been changed or sent meanwhile. */
function note(saved: Draft, serverId: number | undefined): void {
  const all = allDrafts();
  const now = all.find(({ key }) => key === saved.key);
  if (!now) {
    if (serverId !== undefined) putGone([...goneIds(), serverId]);
    return saveSoon(SAVE_MS);
  }
  const { serverId: _, ...rest } = now;
  const isChanged = contentOf(now) !== contentOf(saved) || now.at !== saved.at;
  const next = { ...rest, isChanged, ...(serverId === undefined ? {} : { serverId }) };
  storeDrafts(all.map((draft) => (draft === now ? next : draft)));
  if (isChanged) saveSoon(SAVE_MS);
}
