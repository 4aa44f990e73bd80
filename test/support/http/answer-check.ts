/**
 * Checks responses against the OpenAPI document: their status, their media type, and every field of their JSON. It uses
 * the document, not the zod schemas behind it, because clients get the document.
 */
import type { ErrorObject } from 'ajv/dist/2020';
import { validatorOf } from './answer-validators';
import { apiDocument } from './api-document';
import { operationsOf, type ApiDocument, type Described } from './api-operations';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly body: unknown;
}

/** Throws if a described route responds with something that its description does not contain. */
export function checkAnswer(seen: Seen): void {
  const found = findOperation(seen.method, seen.path);
  // The response to HEAD has only headers.
  if (!found || seen.method === 'HEAD') return;
  const mistake = mistakeIn(found, seen);
  if (mistake === undefined) return;
  const { method, path } = found;
  const beginning = seen.text.length > 1000 ? `${seen.text.slice(0, 1000)}…` : seen.text;
  throw new Error(`${method.toUpperCase()} ${path} answered ${seen.status}, but ${mistake}\n${beginning}`);
}

function mistakeIn(found: Described, { status, type, text, body }: Seen): string | undefined {
  const response = found.operation.responses[status];
  if (!response) return 'the document does not have this status';
  if (!response.content) return text === '' ? undefined : 'the document says that there is no body';
  const [mediaType = ''] = type.split(';');
  if (!(mediaType in response.content)) {
    return '*/*' in response.content ? undefined : `the document does not have the media type "${mediaType}"`;
  }
  if (mediaType !== 'application/json') return undefined;
  if (body === undefined) return 'the body is no JSON';
  const validate = validatorOf(response.content[mediaType]!.schema);
  return validate(body) ? undefined : `the document does not allow it: ${explain(validate.errors ?? [])}`;
}

/** Of the alternatives of a union, the best match is the one whose error is nested deepest. */
function explain(errors: readonly ErrorObject[]): string {
  const depth = ({ instancePath, keyword }: ErrorObject) =>
    instancePath.split('/').length + (keyword === 'const' || keyword === 'enum' ? 0 : 0.5);
  const worst = errors.toSorted((a, b) => depth(b) - depth(a)).slice(0, 3);
  return worst
    .map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

interface Template extends Described {
  readonly pattern: RegExp;
  /** Paths with fewer parameters come first, as in the router. */
  readonly parameters: number;
}

let templates: Template[] | undefined;

const templatesOf = (document: ApiDocument): Template[] =>
  operationsOf(document)
    .map((described) => {
      const escaped = described.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
      return {
        ...described,
        pattern: new RegExp(`^${escaped.replace(/\{\w+\}/g, '[^/]+')}/?$`),
        parameters: described.path.split('{').length,
      };
    })
    .sort((a, b) => a.parameters - b.parameters);

function findOperation(method: string, path: string): Template | undefined {
  templates ??= templatesOf(apiDocument());
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  return templates.find((each) => each.method === wanted && each.pattern.test(path));
}
