import {
  hearScheduled,
  messagesById,
  remindersById,
  replaceScheduled,
  useScheduled,
  type Reminder,
  type ScheduledMessage,
} from '../../../../web/chat/scheduled/scheduled';

const common = { rendered_content: '', scheduled_delivery_timestamp: 4_000_000_000, failed: false };
const message = (id: number, content = 'x'): ScheduledMessage => ({
  scheduled_message_id: id,
  type: 'stream',
  to: 1,
  topic: 'a',
  content,
  ...common,
});
const reminder = (id: number): Reminder => ({
  reminder_id: id,
  reminder_target_message_id: 5,
  content: '',
  note: '',
  ...common,
});

const added = (...messages: ScheduledMessage[]) => ({
  id: 1,
  type: 'scheduled_messages',
  op: 'add',
  scheduled_messages: messages,
});
const updated = (changed: ScheduledMessage) => ({
  id: 2,
  type: 'scheduled_messages',
  op: 'update',
  scheduled_message: changed,
});
const removed = (id: number) => ({ id: 3, type: 'scheduled_messages', op: 'remove', scheduled_message_id: id });
const contents = () => [...useScheduled.getState().messages.values()].map(({ content }) => content);

beforeEach(() => useScheduled.setState(useScheduled.getInitialState(), true));

test('Events add, change and remove messages and reminders', () => {
  hearScheduled(added(message(1, 'one'), message(2, 'two')));
  hearScheduled(updated(message(1, 'changed')));
  hearScheduled(removed(2));
  hearScheduled({ id: 4, type: 'reminders', op: 'add', reminders: [reminder(1), reminder(2)] });
  hearScheduled({ id: 5, type: 'reminders', op: 'remove', reminder_id: 1 });
  expect(contents()).toEqual(['changed']);
  expect([...useScheduled.getState().reminders.keys()]).toEqual([2]);
});

test('What happens while the lists are fetched is not lost, whether the answer has it already or not', async () => {
  hearScheduled(added(message(9, 'gone before the answer')));
  await replaceScheduled(async () => {
    hearScheduled(added(message(3, 'new')));
    hearScheduled(removed(2));
    hearScheduled(updated(message(1, 'newer')));
    return { messages: messagesById([message(1, 'old'), message(2)]), reminders: remindersById([reminder(7)]) };
  });
  expect(contents().toSorted()).toEqual(['new', 'newer']);
  expect([...useScheduled.getState().reminders.keys()]).toEqual([7]);
  expect(useScheduled.getState().isLoaded).toBe(true);
});

test('A failed fetch leaves what is known', async () => {
  hearScheduled(added(message(1, 'known')));
  const failed = replaceScheduled(() => Promise.reject(new Error('away')));
  await expect(failed).rejects.toThrow('away');
  expect(contents()).toEqual(['known']);
  expect(useScheduled.getState().isLoaded).toBe(false);
});
