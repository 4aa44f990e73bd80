import {
  newOption,
  newTask,
  strikeChange,
  voteChange,
  widgetOf,
  type Poll,
  type Todo,
} from '../../../web/chat/widgets/widget-data';
import type { Message } from '../../../web/chat/data/wire';

const AUTHOR = 1;
const READER = 2;

/** A message with a widget, and what users then added to it. */
function messageWith(widget: object, ...changes: readonly (readonly [number, object | string])[]): Message {
  const parts = [[AUTHOR, widget] as const, ...changes];
  const submessages = parts.map(([sender_id, content], index) => ({
    id: index + 1,
    sender_id,
    msg_type: 'widget',
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }));
  return { sender_id: AUTHOR, submessages } as unknown as Message;
}

const POLL = { widget_type: 'poll', extra_data: { question: 'Where?', options: ['Here', 'There'] } };
const TODO = { widget_type: 'todo', extra_data: null };

const votesOf = (poll: unknown) => (poll as Poll).options.map(({ text, voters }) => [text, ...voters]);

test('Votes are counted, withdrawn, and given to options that users added', () => {
  const empty = widgetOf(messageWith(POLL)) as Poll;
  expect(newOption(empty, 'Elsewhere')).toEqual({ type: 'new_option', idx: 3, option: 'Elsewhere' });
  const changes = [
    [AUTHOR, { type: 'vote', key: 'canned,0', vote: 1 }],
    [READER, { type: 'vote', key: 'canned,0', vote: 1 }],
    [READER, { type: 'new_option', idx: 3, option: 'Elsewhere' }],
    [READER, { type: 'vote', key: '2,3', vote: 1 }],
    [AUTHOR, { type: 'vote', key: 'canned,0', vote: -1 }],
  ] as const;
  const poll = widgetOf(messageWith(POLL, ...changes)) as Poll;
  expect(poll.question).toBe('Where?');
  expect(votesOf(poll)).toEqual([['Here', READER], ['There'], ['Elsewhere', READER]]);
  expect(voteChange(poll.options[0]!, READER)).toEqual({ type: 'vote', key: 'canned,0', vote: -1 });
  expect(voteChange(poll.options[0]!, AUTHOR)).toEqual({ type: 'vote', key: 'canned,0', vote: 1 });
});

test('Only the author of a poll can change its question', () => {
  const asked = (by: number) => widgetOf(messageWith(POLL, [by, { type: 'question', question: 'When?' }])) as Poll;
  expect(asked(READER).question).toBe('Where?');
  expect(asked(AUTHOR).question).toBe('When?');
});

test('Tasks are added once, described and ticked off', () => {
  const first = newTask(widgetOf(messageWith(TODO)) as Todo, 'Cake', 'with cherries');
  const changes = [
    [READER, first],
    [AUTHOR, { ...first, key: 2 }],
    [AUTHOR, { type: 'strike', key: '1,2' }],
  ] as const;
  const todo = widgetOf(messageWith(TODO, ...changes)) as Todo;
  expect(todo.tasks).toEqual([{ key: '1,2', text: 'Cake', description: 'with cherries', isDone: true }]);
  expect(strikeChange(todo.tasks[0]!)).toEqual({ type: 'strike', key: '1,2' });
  expect(todo.nextIndex).toBe(2);
});

test('The form of a bot is read with its choices', () => {
  const choices = [{ short_name: 'A', long_name: 'The first', reply: 'a' }];
  const extra_data = { type: 'choices', heading: 'Choose', choices };
  expect(widgetOf(messageWith({ widget_type: 'zform', extra_data }))).toEqual({
    kind: 'form',
    heading: 'Choose',
    choices: [{ name: 'A', text: 'The first', reply: 'a' }],
  });
});

test('Malformed submessages are ignored', () => {
  const hostile = ['no JSON', '[]', 'null', '{"type":"vote","key":"canned,9","vote":1}', '{"type":"new_option"}'];
  const poll = widgetOf(messageWith(POLL, ...hostile.map((content) => [READER, content] as const)));
  expect(poll).toEqual(widgetOf(messageWith(POLL)));
  expect(widgetOf(messageWith({ widget_type: 'poll', extra_data: { question: 1, options: {} } }))).toMatchObject({
    question: '',
    options: [],
  });
  expect(widgetOf(messageWith({ widget_type: 'tictactoe', extra_data: null }))).toBeUndefined();
  expect(widgetOf({ sender_id: AUTHOR, submessages: [] } as unknown as Message)).toBeUndefined();
});
