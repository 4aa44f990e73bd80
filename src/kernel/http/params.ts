/** Schemas for parameters, which arrive as text. Each also describes itself for the API document. */
import { z } from 'zod';
import { isTooDeep } from '../text/json-depth';

/** Why a parameter was refused; the wire format words it. */
export type Refusal = 'missing' | 'not-json' | 'bad-value';

const JSON_DEPTH = 32;

/** Default messages. A wire format with its own words uses the refusal instead. */
const WORDS: Readonly<Record<Refusal, string>> = {
  missing: 'is required',
  'not-json': 'must be JSON',
  'bad-value': 'must be text',
};

const refuse = (context: z.RefinementCtx, refusal: Refusal, message = WORDS[refusal]) => {
  context.addIssue({ code: 'custom', message, params: { refusal } });
  return z.NEVER;
};

/** Plain text. If it is given twice, the last value counts, as for a form with two fields of one name. */
export const text = z
  .unknown()
  .transform((value, context): string => {
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    if (last === undefined) return refuse(context, 'missing');
    if (typeof last === 'number' || typeof last === 'boolean') return String(last);
    return typeof last === 'string' ? last : refuse(context, 'bad-value');
  })
  .meta({ type: 'string' });

export const integer = text
  .transform((value, context): number => {
    const number = Number(value);
    return /^\s*-?\d+\s*$/.test(value) && Number.isSafeInteger(number)
      ? number
      : refuse(context, 'bad-value', 'must be a whole number');
  })
  .meta({ type: 'integer' });

/** Parses JSON inside a field; the caller describes the field. A value that is no text is already parsed. */
export function readJson<S extends z.ZodType>(schema: S) {
  return z
    .unknown()
    .transform((value, context): unknown => {
      const last: unknown =
        Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.at(-1) : value;
      if (last === undefined) return refuse(context, 'missing');
      if (typeof last !== 'string') return last;
      if (isTooDeep(last, JSON_DEPTH)) return refuse(context, 'not-json');
      try {
        return JSON.parse(last);
      } catch {
        return refuse(context, 'not-json');
      }
    })
    .pipe(schema);
}

/** The schema of a text field that holds JSON of this shape. */
export const jsonText = (contentSchema: object) =>
  ({ type: 'string', contentMediaType: 'application/json', contentSchema }) as const;

export const jsonField = <S extends z.ZodType>(schema: S) => readJson(schema).meta(jsonText(schemaOf(schema)));

export const flag = readJson(z.boolean()).meta({ type: 'boolean' });
export const jsonInteger = readJson(z.int()).meta({ type: 'integer' });

/** The JSON Schema of the accepted input. */
export function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return described;
}

/** One problem with one parameter. */
export interface ParamIssue {
  /** The names from the parameter inwards. */
  readonly path: readonly (string | number)[];
  readonly refusal: Refusal | 'wrong-type' | 'wrong-value';
  readonly expected: string;
  readonly message: string;
}

export function readIssues(error: z.ZodError): ParamIssue[] {
  return error.issues.map((issue) => ({
    path: issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
    refusal:
      issue.code === 'custom' && issue.params?.['refusal'] !== undefined
        ? (issue.params['refusal'] as Refusal)
        : issue.code === 'invalid_type'
          ? 'wrong-type'
          : 'wrong-value',
    expected: issue.code === 'invalid_type' ? issue.expected : '',
    message: issue.message,
  }));
}
