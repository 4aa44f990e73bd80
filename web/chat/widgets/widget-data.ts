/**
 * Builds widgets from submessages. The first submessage defines the widget; the others change it in order. Anybody may
 * add submessages, so each is validated, and invalid ones are ignored.
 */
import type { Message } from '../data/wire';

export interface PollOption {
  readonly key: string;
  readonly text: string;
  readonly voters: readonly number[];
}

export interface Poll {
  readonly kind: 'poll';
  readonly question: string;
  readonly options: readonly PollOption[];
  /** For the next option that somebody adds. */
  readonly nextIndex: number;
}

export interface Task {
  readonly key: string;
  readonly text: string;
  readonly description: string;
  readonly isDone: boolean;
}

export interface Todo {
  readonly kind: 'todo';
  readonly tasks: readonly Task[];
  readonly nextIndex: number;
}

export interface Form {
  readonly kind: 'form';
  readonly heading: string;
  readonly choices: readonly { readonly name: string; readonly text: string; readonly reply: string }[];
}

export type Widget = Poll | Todo | Form;

type Fields = Readonly<Record<string, unknown>>;

interface Change {
  readonly senderId: number;
  readonly isAuthor: boolean;
  readonly fields: Fields;
}

export function widgetOf(message: Message): Widget | undefined {
  const [first, ...rest] = message.submessages ?? [];
  if (first?.msg_type !== 'widget' || first.sender_id !== message.sender_id) return undefined;
  const { widget_type: type, extra_data: extra } = fieldsIn(first.content);
  const start = emptyWidget(type, isFields(extra) ? extra : {});
  return rest.reduce<Widget | undefined>((widget, { sender_id, content }) => {
    const change = { senderId: sender_id, isAuthor: sender_id === message.sender_id, fields: fieldsIn(content) };
    if (widget?.kind === 'poll') return pollAfter(widget, change);
    return widget?.kind === 'todo' ? todoAfter(widget, change) : widget;
  }, start);
}

function emptyWidget(type: unknown, extra: Fields): Widget | undefined {
  if (type === 'todo') return { kind: 'todo', tasks: [], nextIndex: 1 };
  if (type === 'poll') {
    const options = listOf(extra['options']).map((option, index) => ({
      key: `canned,${index}`,
      text: textOf(option),
      voters: [],
    }));
    return { kind: 'poll', question: textOf(extra['question']), options, nextIndex: options.length + 1 };
  }
  if (type !== 'zform') return undefined;
  const choices = listOf(extra['choices'])
    .filter(isFields)
    .map((choice) => ({
      name: textOf(choice['short_name']),
      text: textOf(choice['long_name']),
      reply: textOf(choice['reply']),
    }));
  return { kind: 'form', heading: textOf(extra['heading']), choices };
}

function pollAfter(poll: Poll, { senderId, isAuthor, fields }: Change): Poll {
  if (fields['type'] === 'question') {
    return isAuthor ? { ...poll, question: textOf(fields['question']) } : poll;
  }
  if (fields['type'] === 'new_option') {
    const index = indexOf(fields['idx']);
    const option = { key: `${senderId},${index}`, text: textOf(fields['option']), voters: [] };
    if (option.text === '' || poll.options.some(({ key }) => key === option.key)) return poll;
    return { ...poll, options: [...poll.options, option], nextIndex: Math.max(poll.nextIndex, index + 1) };
  }
  if (fields['type'] !== 'vote') return poll;
  const options = poll.options.map((option) => {
    if (option.key !== fields['key']) return option;
    const others = option.voters.filter((id) => id !== senderId);
    return { ...option, voters: fields['vote'] === 1 ? [...others, senderId] : others };
  });
  return { ...poll, options };
}

function todoAfter(todo: Todo, { senderId, fields }: Change): Todo {
  if (fields['type'] === 'strike') {
    const tasks = todo.tasks.map((task) => (task.key === fields['key'] ? { ...task, isDone: !task.isDone } : task));
    return { ...todo, tasks };
  }
  if (fields['type'] !== 'new_task') return todo;
  // Zulip's clients call the index a key, and build the key from both.
  const index = indexOf(fields['key']);
  const text = textOf(fields['task']);
  if (text === '' || todo.tasks.some((task) => task.text === text)) return todo;
  const task = {
    key: `${index},${senderId}`,
    text,
    description: textOf(fields['desc']),
    isDone: fields['completed'] === true,
  };
  return { ...todo, tasks: [...todo.tasks, task], nextIndex: Math.max(todo.nextIndex, index + 1) };
}

export const questionChange = (question: string) => ({ type: 'question', question });

export const newOption = (poll: Poll, option: string) => ({ type: 'new_option', idx: poll.nextIndex, option });

export const voteChange = ({ key, voters }: PollOption, ownId: number) => ({
  type: 'vote',
  key,
  vote: voters.includes(ownId) ? -1 : 1,
});

export const newTask = (todo: Todo, task: string, desc: string) => ({
  type: 'new_task',
  key: todo.nextIndex,
  task,
  desc,
  completed: false,
});

export const strikeChange = ({ key }: Task) => ({ type: 'strike', key });

function fieldsIn(json: string): Fields {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const indexOf = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0);
