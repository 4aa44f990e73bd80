// Parses the subset of GraphQL that FreePBX's clients use: one operation, typed variables, fields with arguments.

/** A variable used as an argument; its type is checked against the schema. */
export interface VariableUse {
  readonly variable: string;
}

export interface Field {
  name: string;
  args: Record<string, unknown>;
  selection: Field[];
}

export interface Operation {
  kind: 'query' | 'mutation';
  /** The declared type of each variable. */
  variables: Record<string, string>;
  fields: Field[];
}

const TOKEN = /\s+|,|#[^\n]*|"((?:[^"\\]|\\.)*)"|(\$?[A-Za-z_]\w*)|(-?\d+(?:\.\d+)?)|([{}()[\]:!=])/gy;

export const isVariable = (value: unknown): value is VariableUse =>
  typeof value === 'object' && value !== null && 'variable' in value;

/** Throws messages like those of FreePBX's GraphQL server. */
export function readOperation(text: string): Operation {
  return new Reader(lex(text)).operation();
}

function lex(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`Syntax Error: Cannot parse the unexpected character "${text[at]}"`);
    const [whole, quoted] = match;
    if (quoted !== undefined || match[2] !== undefined || match[3] !== undefined || match[4] !== undefined) {
      tokens.push(whole);
    }
  }
  return tokens;
}

class Reader {
  readonly #tokens: string[];

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  operation(): Operation {
    const kind = this.#tokens[0] === 'mutation' ? 'mutation' : 'query';
    while (this.#tokens.length > 0 && !['{', '('].includes(this.#tokens[0]!)) this.#take();
    const variables = this.#tokens[0] === '(' ? this.#declarations() : {};
    const fields = this.#selection();
    if (this.#tokens.length > 0) throw new Error(`Syntax Error: Unexpected "${this.#tokens[0]}"`);
    return { kind, variables, fields };
  }

  #take(expected?: string): string {
    const token = this.#tokens.shift();
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`Syntax Error: Expected ${expected ?? 'Name'}, found ${token ?? '<EOF>'}`);
    }
    return token;
  }

  #declarations(): Record<string, string> {
    const types: Record<string, string> = {};
    this.#take('(');
    while (this.#tokens[0] !== ')') {
      const name = this.#take().slice(1);
      this.#take(':');
      let type = this.#take();
      if (this.#tokens[0] === '!') type += this.#take();
      types[name] = type;
    }
    this.#take(')');
    return types;
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
    return Object.fromEntries(pairs);
  }

  #value(): unknown {
    if (this.#tokens[0] === '{') return this.#pairs('{', '}');
    const token = this.#take();
    if (token.startsWith('$')) return { variable: token.slice(1) } satisfies VariableUse;
    try {
      return JSON.parse(token) as unknown;
    } catch {
      return token;
    }
  }
}
