/** Widgets, which clients draw: polls, to-do lists, and bots' forms. */
import { badRequest } from '../faults';
import { checkSubmessage } from './submessage';

const COMMAND = /^\/(poll|todo|tictactoe)(?= |$)/;

/** The widget that a message's content asks for, as its first submessage; null for nearly every message. */
export function widgetIn(content: string): string | null {
  if (!content.startsWith('/')) return null;
  const [command, type = ''] = COMMAND.exec(content) ?? [];
  if (command === undefined) return null;
  const extra = type === 'poll' ? pollIn(content.slice(command.length).trim()) : null;
  return JSON.stringify({ widget_type: type, extra_data: extra });
}

/** The question is the first line; each further line is an option, possibly written as a list. */
function pollIn(text: string): { question: string; options: string[] } {
  const [question = '', ...lines] = text.split(/\r\n|\r|\n/);
  const options = lines.map((line) => line.trim().replace(/^[-*]?\s*/, '')).filter((option) => option !== '');
  return { question: question.trim(), options };
}

const bad = (what: string) => badRequest(`Widgets: ${what}`);

/** A widget that a bot sends in `widget_content`: a form with buttons. */
export function readWidget(written: string): string {
  let widget: unknown;
  try {
    checkSubmessage(written);
    widget = JSON.parse(written);
  } catch {
    throw bad('API programmer sent invalid JSON content');
  }
  if (!isObject(widget)) throw bad('widget_content is not a dict');
  for (const key of ['widget_type', 'extra_data']) {
    if (!Object.hasOwn(widget, key)) throw bad(`${key} is not in widget_content`);
  }
  const { widget_type: type, extra_data: extra } = widget;
  if (!isObject(extra)) throw bad('extra_data is not a dict');
  if (type !== 'zform') throw bad(`unknown widget type: ${printed(type)}`);
  checkForm(extra);
  return JSON.stringify({ widget_type: type, extra_data: extra });
}

function checkForm(extra: Readonly<Record<string, unknown>>): void {
  if (!Object.hasOwn(extra, 'type')) throw bad('zform is missing type field');
  if (extra['type'] !== 'choices') throw bad(`unknown zform type: ${printed(extra['type'])}`);
  checkTexts('extra_data', extra, ['heading']);
  const { choices } = extra;
  if (!Array.isArray(choices)) {
    throw bad(
      Object.hasOwn(extra, 'choices') ? 'extra_data["choices"] is not a list' : missing('choices', 'extra_data'),
    );
  }
  for (const [at, choice] of choices.entries()) {
    const place = `extra_data["choices"][${at}]`;
    if (!isObject(choice)) throw bad(`${place} is not a dict`);
    checkTexts(place, choice, ['short_name', 'long_name', 'reply']);
  }
}

function checkTexts(place: string, given: Readonly<Record<string, unknown>>, keys: readonly string[]): void {
  for (const key of keys) {
    if (!Object.hasOwn(given, key)) throw bad(missing(key, place));
    if (typeof given[key] !== 'string') throw bad(`${place}["${key}"] is not a string`);
  }
}

const missing = (key: string, place: string): string => `${key} key is missing from ${place}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const printed = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 60);
