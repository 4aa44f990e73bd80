/** What a user received, in a form that can be compared between two worlds: numbers by their order of appearance. */

/** These differ between any two worlds, and say nothing about what happens in them. */
const TIMES = /timestamp$|^date_joined$|^create_time$|^queue_id$|^client_id$|^realm_icon/;
/** Keys whose numbers name an object. */
const NAMING =
  /(?:^|_)ids?$|^max_id$|^max_message_id$|^anchor$|^pointer$|^messages$|^mentions$|^starred_messages$|^subscribers$|^members$/;

export class Transcript {
  readonly #ranks = new Map<string, Map<number, number>>();
  readonly #world: string;
  readonly lines: string[] = [];

  /** The world's own name says nothing either. */
  constructor(world: string) {
    this.#world = world;
  }

  write(what: string, received: unknown): void {
    this.lines.push(`${what} ${JSON.stringify(this.#plain(received, []))}`);
  }

  #plain(value: unknown, path: readonly string[]): unknown {
    const key = path.at(-1) ?? '';
    if (TIMES.test(key)) return '…';
    if (Array.isArray(value)) return value.map((each) => this.#plain(each, path));
    if (typeof value === 'object' && value !== null) return this.#object(value, path);
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number' && NAMING.test(key) && value > 0) return this.#rank(path, value);
    return value;
  }

  #object(value: object, path: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const shown = /^\d+$/.test(key) ? `#${this.#rank([...path, 'key'], Number(key))}` : this.#text(key);
        return [shown, this.#plain(inner, /^\d+$/.test(key) ? path : [...path, key])];
      }),
    );
  }

  #text(text: string): string {
    return text
      .replaceAll(this.#world, 'world')
      .replaceAll(/(data-(?:user|stream)-id=\\?"|\/stream\/|user_uploads\/|\|)\d+/g, '$1#')
      .replaceAll(/"id": ?\d+/g, '"id":#');
  }

  /** Numbers of different objects are counted separately. */
  #rank(path: readonly string[], number: number): string {
    const kind = path.slice(-2).join('.');
    const ranks = this.#ranks.get(kind) ?? new Map<number, number>();
    this.#ranks.set(kind, ranks);
    if (!ranks.has(number)) ranks.set(number, ranks.size + 1);
    return `${kind}#${ranks.get(number)}`;
  }
}
