/** Holds answers and events against what today's mobile app reads, as its decoders do. A misfit makes it drop them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from './rules';

type Shape = Readonly<Record<string, string>>;
interface Fields {
  readonly answers: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

const fields = JSON.parse(readFileSync(join(__dirname, 'read-fields.json'), 'utf8')) as Fields;

type Written = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Remembers what it has decoded: kinds of answers and events, and their fields. */
export class Decoder {
  readonly decoded = new Set<string>();
  /** Those that have been there at least once. */
  readonly fields = new Set<string>();

  reads(route: string): boolean {
    return route in fields.answers;
  }

  answer(route: string, body: unknown): string[] {
    const shape = fields.answers[route];
    if (shape === undefined) throw new Error(`The app does not read ${route}`);
    this.decoded.add(route);
    return this.#object(shape, body, route);
  }

  /** Unknown kinds are ignored if they have an id; of a known type, the op must be text. */
  event(event: Written): string[] {
    const type = String(event['type']);
    const kinds = Object.keys(fields.events).filter((kind) => kind.split(' ')[0] === type);
    const hasOps = kinds.some((kind) => kind.includes(' '));
    const kind = hasOps ? `${type} ${String(event['op'])}` : type;
    if (hasOps && typeof event['op'] !== 'string') return [`${type}: op is ${JSON.stringify(event['op'])}`];
    const shape = fields.events[kind];
    if (shape === undefined) return Number.isInteger(event['id']) ? [] : [`${kind}: has no id`];
    this.decoded.add(kind);
    return this.#object(shape, type === 'message' ? withFlags(event) : event, kind);
  }

  /** What nothing has been held against yet. */
  missing(of: 'answers' | 'events'): string[] {
    return Object.keys(fields[of]).filter((kind) => !this.decoded.has(kind));
  }

  /** Fields that have not been there yet. */
  missingFields(): string[] {
    const all = Object.entries(fields.shapes).flatMap(([shape, keys]) =>
      Object.keys(keys).map((key) => `${shape}.${key.replace(/\?$/, '')}`),
    );
    return all.filter((each) => !this.fields.has(each));
  }

  #object(name: string, value: unknown, path: string): string[] {
    if (!isObject(value)) return [`${path}: is no object`];
    const shape = chosenShape(name, value);
    const found = Object.entries(fields.shapes[shape] ?? {}).flatMap(([written, type]) => {
      const key = written.replace(/\?$/, '');
      const given = value[key] ?? undefined;
      const place = `${path}.${key}`;
      if (given === undefined) return written.endsWith('?') ? [] : [`${place}: is missing`];
      this.fields.add(`${shape}.${key}`);
      return this.#value(type, given, place);
    });
    const broken = RULES[shape]?.(value);
    const widgets = this.#widgets((value['submessages'] ?? []) as readonly Written[], path);
    return [...found, ...widgets, ...(broken === undefined ? [] : [`${path}: ${broken}`])];
  }

  /** Of a poll, the app reads the content of each part too. */
  #widgets([first, ...later]: readonly Written[], path: string): string[] {
    if (!first) return [];
    const read = ({ content }: Written) => JSON.parse(String(content)) as Written;
    if (read(first)['widget_type'] !== 'poll') return [];
    return [
      ...this.#object('PollWidgetData', read(first), `${path}.submessages[0]`),
      ...later.flatMap((each, index) => {
        const shape = POLL_PARTS[String(read(each)['type'])];
        return shape === undefined ? [] : this.#object(shape, read(each), `${path}.submessages[${index + 1}]`);
      }),
    ];
  }

  #value(type: string, value: unknown, path: string): string[] {
    const [, outer, inner] = /^(array|map)<(.*)>$/.exec(type) ?? [];
    if (outer === 'array') {
      if (!Array.isArray(value)) return [`${path}: is no list`];
      return value.flatMap((each, index) => this.#value(inner!, each, `${path}[${index}]`));
    }
    if (outer === 'map') return this.#map(inner!, value, path);
    if (type in fields.shapes || type === 'Message') return this.#object(type, value, path);
    if (type === 'Event') return this.event(value as Written);
    return isOfType(type, value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${type}`];
  }

  #map(types: string, value: unknown, path: string): string[] {
    const [, key, inner] = /^(string|int),(.*)$/.exec(types)!;
    if (!isObject(value)) return [`${path}: is no object`];
    return Object.entries(value).flatMap(([name, each]) =>
      key === 'int' && !/^\d+$/.test(name)
        ? [`${path}.${name}: is no number`]
        : this.#value(inner!, each, `${path}.${name}`),
    );
  }
}

/** The flags beside a new message are its own. */
const withFlags = ({ message, ...event }: Written): Written => ({
  ...event,
  message: { ...(message as Written), flags: event['flags'] },
});

const POLL_PARTS: Readonly<Record<string, string>> = {
  new_option: 'PollNewOptionEventSubmessage',
  question: 'PollQuestionEventSubmessage',
  vote: 'PollVoteEventSubmessage',
};

const chosenShape = (name: string, value: Written): string =>
  name !== 'Message' ? name : value['type'] === 'private' ? 'DmMessage' : 'StreamMessage';

const TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  int: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  address: (value) => typeof value === 'string' && URL.canParse(value, 'https://chat.example.com'),
  color: (value) => typeof value === 'string' && /^#[\da-f]{6}$/i.test(value),
  group_setting: (value) => Number.isInteger(value) || isObject(value),
};

function isOfType(type: string, value: unknown): boolean {
  const [, words] = /^one of (.*)$/.exec(type) ?? [];
  if (words !== undefined) return words.split(' ').includes(String(value));
  const test = TESTS[type];
  if (!test) throw new Error(`Unknown type ${type}`);
  return test(value);
}
