/**
 * Messages being sent. Each has an Idempotency-Key from the moment of pressing send, and stays in localStorage until
 * the server has it. However often and by however many tabs it is sent, it becomes one message.
 */
import { create } from 'zustand';
import { api, RequestError } from '../../shared/http/request';
import { readStored, writeStored } from './stored';
import { chat } from './store';

export interface Outgoing {
  readonly key: string;
  readonly type: 'stream' | 'private';
  /** One stream, or the other people. */
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  readonly at: number;
  readonly state: 'sending' | 'waiting' | 'refused';
  readonly reason?: string;
  /** Whether the server has taken long to answer. */
  readonly isLate?: boolean;
  /** The id of the resulting message, until that arrives as an event. */
  readonly id?: number;
}

interface Outbox {
  readonly entries: readonly Outgoing[];
}

export const useOutbox = create<Outbox>(() => ({ entries: [] }));

const RETRY_MS = 5000;
/** A server that takes longer is worth a word. */
const LATE_MS = 5000;
const SETTLED_MS = 60_000;
const inFlight = new Set<string>();
/** The keys that this tab has had. Other keys in storage belong to other tabs. */
const known = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

const place = (): string => `outbox:${chat().ownId}`;

function put(entries: readonly Outgoing[]): void {
  useOutbox.setState({ entries });
  for (const { key } of entries) known.add(key);
  const others = readStored<Outgoing[]>(place(), []).filter(({ key }) => !known.has(key));
  writeStored(place(), [...others, ...entries.filter(({ id }) => id === undefined)]);
}

const change = (key: string, by: Partial<Outgoing>): void =>
  put(useOutbox.getState().entries.map((entry) => (entry.key === key ? { ...entry, ...by } : entry)));

const remove = (key: string): void => put(useOutbox.getState().entries.filter((entry) => entry.key !== key));

/** Sends what an earlier page left unsent. */
export function openOutbox(): void {
  const kept = readStored<Outgoing[]>(place(), []);
  put(kept.map((entry) => (entry.state === 'refused' ? entry : { ...entry, state: 'waiting', isLate: false })));
  flushOutbox();
}

/** Whether the server should have it by now. */
export const isLate = (entry: Outgoing): boolean =>
  entry.isLate === true && entry.state !== 'refused' && entry.id === undefined;

/** What is sent before it may be what takes long. */
function noteLate(key: string): void {
  setTimeout(() => {
    if (useOutbox.getState().entries.some((entry) => entry.key === key)) change(key, { isLate: true });
  }, LATE_MS);
}

/** Whether an earlier page left something unsent. */
export const hasOutgoing = (): boolean => readStored<Outgoing[]>(place(), []).length > 0;

export function sendMessage(message: Pick<Outgoing, 'key' | 'type' | 'to' | 'topic' | 'content'>): void {
  put([...useOutbox.getState().entries, { ...message, at: Date.now() / 1000, state: 'sending' }]);
  noteLate(message.key);
  flushOutbox();
}

export function discardOutgoing(key: string): void {
  remove(key);
}

export function retryOutgoing(key: string): void {
  change(key, { state: 'sending', isLate: false });
  noteLate(key);
  flushOutbox();
}

const conversationOf = ({ type, to, topic }: Outgoing): string =>
  `${type} ${to.join()} ${type === 'stream' ? topic.toLowerCase() : ''}`;

/**
 * Sends what is unsent: of each conversation one message at a time, in the order in which they were written. Refused ones
 * wait for their author.
 */
export function flushOutbox(): void {
  clearTimeout(timer);
  const first = new Map<string, Outgoing>();
  for (const entry of useOutbox.getState().entries) {
    const conversation = conversationOf(entry);
    if (entry.state !== 'refused' && entry.id === undefined && !first.has(conversation)) first.set(conversation, entry);
  }
  for (const entry of first.values()) {
    if (!inFlight.has(entry.key)) void attempt(entry);
  }
}

async function attempt(entry: Outgoing): Promise<void> {
  const { key } = entry;
  inFlight.add(key);
  try {
    const { id } = await api.post<{ id: number }>(
      '/messages',
      {
        type: entry.type,
        to: entry.to,
        ...(entry.type === 'stream' ? { topic: entry.topic } : {}),
        content: entry.content,
        client: 'website',
        queue_id: chat().sourceQueueId,
        local_id: key,
      },
      { headers: { 'Idempotency-Key': key } },
    );
    // The event may have arrived first.
    if (useOutbox.getState().entries.some((each) => each.key === key)) change(key, { id, state: 'sending' });
    // Usually its event removes the entry; this timeout does if no event comes.
    setTimeout(() => remove(key), SETTLED_MS);
  } catch (error) {
    if (!(error instanceof RequestError && !error.isPassing)) return letWait(entry);
    change(key, { state: 'refused', reason: error.message });
  } finally {
    inFlight.delete(key);
  }
  flushOutbox();
}

/** Those behind it in its conversation wait too. */
function letWait(entry: Outgoing): void {
  const conversation = conversationOf(entry);
  const isHeld = (each: Outgoing): boolean => each.state === 'sending' && each.id === undefined;
  put(
    useOutbox
      .getState()
      .entries.map((each) =>
        isHeld(each) && conversationOf(each) === conversation ? { ...each, state: 'waiting' } : each,
      ),
  );
  clearTimeout(timer);
  timer = setTimeout(flushOutbox, RETRY_MS);
}

/** Removes the entry of a message that has arrived. */
export function settleOutbox(id: number, key: string | undefined): void {
  const { entries } = useOutbox.getState();
  const left = entries.filter((entry) => entry.id !== id && entry.key !== key);
  if (left.length !== entries.length) put(left);
}
