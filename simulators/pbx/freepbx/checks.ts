// Validates a request against the schema before it runs, with the messages of FreePBX's GraphQL server.
import { isVariable } from './graphql-reader';
import type { Field, Operation } from './graphql-reader';
import { INPUTS, OBJECTS, ROOTS } from './schema';
import type { Fields } from './schema';

/** An error that FreePBX answers with HTTP 400. */
export class Said extends Error {}

/** The single requested field with its arguments resolved. Throws FreePBX's message if invalid. */
export function checked(
  { kind, variables, fields }: Operation,
  values: Record<string, unknown>,
  /** The fields of modules that are not installed. */
  lacks?: RegExp,
): Field {
  const [field] = fields;
  if (!field) throw new Said('Syntax Error: Expected Name, found }');
  const root = lacks?.test(field.name) ? undefined : ROOTS[kind][field.name];
  if (!root) throw unknownField(field.name, kind === 'query' ? 'Query' : 'Mutation');
  checkSelection(field, root.type);
  const args = Object.fromEntries(
    Object.entries(field.args).map(([name, value]) => {
      const wanted = root.args[name];
      if (wanted === undefined) throw new Said(`Unknown argument "${name}" on field "${field.name}" of type "Query".`);
      if (!isVariable(value)) return [name, checkInput(wanted, value, name)];
      const declared = variables[value.variable] ?? 'nothing';
      if (declared !== wanted && declared !== `${wanted}!`) {
        const use = `Variable "$${value.variable}" of type "${declared}"`;
        throw new Said(`${use} used in position expecting type "${wanted}".`);
      }
      return [name, checkInput(wanted, values[value.variable], value.variable)];
    }),
  );
  return { ...field, args };
}

const unknownField = (name: string, type: string): Said => new Said(`Cannot query field "${name}" on type "${type}".`);

function checkSelection({ selection }: Field, type: string): void {
  const shape = OBJECTS[type];
  // The schema of these objects was not recorded, only their answers.
  if (!shape) return;
  for (const inner of selection) {
    const own = shape[inner.name];
    if (own === undefined) throw unknownField(inner.name, type);
    checkSelection(inner, own.replaceAll(/[[\]!]/g, ''));
  }
}

function checkInput(type: string, value: unknown, variable: string): unknown {
  const shape = INPUTS[type.replace('!', '')];
  if (!shape) return value;
  const wrong = mistakeIn(shape, (value ?? {}) as Record<string, unknown>, type.replace('!', ''));
  if (wrong === undefined) return value;
  throw new Said(`Variable "$${variable}" got invalid value ${JSON.stringify(value)}; ${wrong}`);
}

function mistakeIn(shape: Fields, input: Record<string, unknown>, name: string): string | undefined {
  for (const [field, type] of Object.entries(shape)) {
    if (type.endsWith('!') && (input[field] ?? undefined) === undefined) {
      return `Field value.${field} of required type ${type} was not provided.`;
    }
  }
  for (const [field, value] of Object.entries(input)) {
    const type = shape[field]?.replace('!', '');
    if (type === undefined) return `Field "${field}" is not defined by type ${name}.`;
    if (value !== null && !fits(type, value)) {
      const noun = type.toLowerCase();
      return `Expected type ${type} at value.${field}; Cannot represent value as ${noun}: ${written(value)}`;
    }
  }
  return undefined;
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const fits = (type: string, value: unknown): boolean => {
  if (type === 'Boolean') return typeof value === 'boolean';
  if (type === 'Int') return Number.isInteger(value);
  return typeof value === 'string' || (type === 'ID' && Number.isInteger(value));
};
