/** Schedules, changes and cancels messages and reminders. Each error is thrown, and nothing that was written is lost. */
import { api, RequestError } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { tell, toast } from '../../shared/ui/toasts';
import { canSend, emptyAfter, restoreDraft, useCompose } from '../compose/state';
import { newKey } from '../data/stored';
import { setting } from '../data/store';
import { contentOf, type Draft } from '../drafts/drafts';
import type { Reminder, ScheduledMessage } from './scheduled';
import { momentText } from './time-texts';

type Fields = Pick<ScheduledMessage, 'type' | 'to' | 'topic' | 'content'>;

const fieldsOf = (draft: Draft): Fields =>
  draft.type === 'stream'
    ? { type: 'stream', to: draft.streamId, topic: topicOf(draft), content: contentOf(draft) }
    : { type: 'private', to: draft.userIds, content: contentOf(draft) };

const topicOf = ({ topic }: Draft): string => (topic.trim() === '' ? '(no topic)' : topic.trim());

/** The keys of requests without an answer, by draft: nobody knows whether the server has done them. */
const unsure = new Map<string, string>();

/** Schedules the draft in the box. The box is emptied once the server has it. */
export async function sendLater(draft: Draft, at: number): Promise<void> {
  if (!canSend(draft, setting('realm_mandatory_topics', false))) return;
  const fields = fieldsOf(draft);
  const id = await scheduleOnce(draft.key, fields, at);
  const now = useCompose.getState().draft;
  if (now?.key === draft.key && contentOf(now) === fields.content) emptyAfter(now, topicOf(now));
  const undo = { text: t('action.undo'), run: () => tell(takeBack(id, fields)) };
  toast(t('later.willBeSent', { time: momentText(at) }), false, undo);
}

/** If an earlier try was done although its answer was lost, that one becomes what is wanted now. */
async function scheduleOnce(draftKey: string, fields: Fields, at: number): Promise<number> {
  const earlier = unsure.get(draftKey);
  const key = earlier ?? newKey();
  unsure.set(draftKey, key);
  const id = await post(fields, at, key).catch((error: unknown) => {
    if (!(error instanceof RequestError && error.isPassing)) unsure.delete(draftKey);
    throw error;
  });
  if (earlier !== undefined) await change(id, { ...fields, scheduled_delivery_timestamp: at });
  unsure.delete(draftKey);
  return id;
}

async function post(fields: Fields, at: number, key: string): Promise<number> {
  const wanted = { ...fields, scheduled_delivery_timestamp: at };
  const headers = { 'Idempotency-Key': key };
  const answer = await api.post<{ scheduled_message_id: number }>('/scheduled_messages', wanted, { headers });
  return answer.scheduled_message_id;
}

/** Cancels it, and puts its text into the box. */
async function takeBack(id: number, fields: Fields): Promise<void> {
  await api.remove(`/scheduled_messages/${id}`);
  putBack(fields);
}

function putBack({ type, to, topic = '', content }: Fields): void {
  restoreDraft({ type, to: [to].flat(), topic, content });
}

const change = (id: number, changed: Partial<Fields & Pick<ScheduledMessage, 'scheduled_delivery_timestamp'>>) =>
  api.patch(`/scheduled_messages/${id}`, changed);

export const setTime = (id: number, at: number) => change(id, { scheduled_delivery_timestamp: at });

export const setContent = (id: number, content: string) => change(id, { content });

/** Long enough for the request to arrive before it. */
const SOON_S = 2;

/** By the clock of the server, because that of the browser may be wrong. The same worker sends it, so it is sent once. */
export async function sendNow(id: number, changed: Partial<Fields> = {}): Promise<void> {
  const { date } = await api.get<{ date: string | null }>(
    '/scheduled_messages',
    {},
    { read: async (response) => ({ date: response.headers.get('Date'), ...((await response.json()) as object) }) },
  );
  const now = date === null ? Date.now() : Date.parse(date);
  await change(id, { ...changed, scheduled_delivery_timestamp: Math.ceil(now / 1000) + SOON_S });
}

export async function cancelScheduled(message: ScheduledMessage): Promise<void> {
  await api.remove(`/scheduled_messages/${message.scheduled_message_id}`);
  const undo = { text: t('action.undo'), run: () => tell(scheduleAgain(message)) };
  toast(t('scheduled.cancelled'), false, undo);
}

/** If it cannot be scheduled any more, its text is at least a draft. */
async function scheduleAgain({ type, to, topic, content, scheduled_delivery_timestamp: at }: ScheduledMessage) {
  const fields: Fields = { type, to, content, ...(topic !== undefined && { topic }) };
  try {
    await post(fields, at, newKey());
  } catch (error) {
    putBack(fields);
    throw error;
  }
}

export async function remind(messageId: number, at: number, note: string): Promise<void> {
  const wanted = { message_id: messageId, scheduled_delivery_timestamp: at, ...(note.trim() !== '' && { note }) };
  const { reminder_id: id } = await api.post<{ reminder_id: number }>('/reminders', wanted);
  const undo = { text: t('action.undo'), run: () => tell(cancelReminder(id)) };
  toast(t('remind.willBe', { time: momentText(at) }), false, undo);
}

export const changeReminder = (id: Reminder['reminder_id'], at: number, note: string) =>
  api.patch(`/reminders/${id}`, { scheduled_delivery_timestamp: at, note });

export const cancelReminder = (id: Reminder['reminder_id']) => api.remove(`/reminders/${id}`);
