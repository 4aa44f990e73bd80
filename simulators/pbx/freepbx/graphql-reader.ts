// Reads as much of GraphQL as FreePBX's clients write: one operation, fields with arguments, variables and selections.

export interface Field {
  name: string;
  args: Record<string, unknown>;
  selection: Field[];
}

export interface Operation {
  kind: 'query' | 'mutation';
  fields: Field[];
}

const TOKEN = /\s+|,|#[^\n]*|"((?:[^"\\]|\\.)*)"|(\$?[A-Za-z_]\w*)|(-?\d+(?:\.\d+)?)|([{}()[\]:!=])/gy;

/** Throws a sentence such as GraphQL servers say. */
export function readOperation(text: string, variables: Record<string, unknown>): Operation {
  const tokens = lex(text);
  const reader = new Reader(tokens, variables);
  return reader.operation();
}

function lex(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`Syntax Error: Cannot parse the unexpected character "${text[at]}".`);
    const [whole, quoted] = match;
    if (quoted !== undefined || match[2] !== undefined || match[3] !== undefined || match[4] !== undefined) {
      tokens.push(whole);
    }
  }
  return tokens;
}

class Reader {
  readonly #tokens: string[];
  readonly #variables: Record<string, unknown>;

  constructor(tokens: string[], variables: Record<string, unknown>) {
    this.#tokens = tokens;
    this.#variables = variables;
  }

  operation(): Operation {
    const kind = this.#tokens[0] === 'mutation' ? 'mutation' : 'query';
    // A name and the types of the variables change nothing here.
    while (this.#tokens.length > 0 && this.#tokens[0] !== '{') this.#take();
    const fields = this.#selection();
    if (this.#tokens.length > 0) throw new Error(`Syntax Error: Unexpected "${this.#tokens[0]}".`);
    return { kind, fields };
  }

  #take(expected?: string): string {
    const token = this.#tokens.shift();
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`Syntax Error: Expected ${expected ?? 'more'}, found ${token ?? '<EOF>'}.`);
    }
    return token;
  }

  #selection(): Field[] {
    const fields: Field[] = [];
    this.#take('{');
    while (this.#tokens[0] !== '}') fields.push(this.#field());
    this.#take('}');
    return fields;
  }

  #field(): Field {
    const name = this.#take();
    const args = this.#tokens[0] === '(' ? this.#pairs('(', ')') : {};
    return { name, args, selection: this.#tokens[0] === '{' ? this.#selection() : [] };
  }

  #pairs(open: string, close: string): Record<string, unknown> {
    const pairs: [string, unknown][] = [];
    this.#take(open);
    while (this.#tokens[0] !== close) {
      const name = this.#take();
      this.#take(':');
      pairs.push([name, this.#value()]);
    }
    this.#take(close);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  }

  #value(): unknown {
    if (this.#tokens[0] === '{') return this.#pairs('{', '}');
    const token = this.#take();
    if (token.startsWith('$')) return this.#variables[token.slice(1)];
    const words = new Map<string, unknown>([
      ['true', true],
      ['false', false],
      ['null', null],
    ]);
    if (words.has(token)) return words.get(token);
    try {
      return JSON.parse(token) as unknown;
    } catch {
      return token;
    }
  }
}
