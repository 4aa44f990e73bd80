import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';

let cluster: Cluster;
let api: Awaited<ReturnType<TestNode['call']>>['body'];

interface Operation {
  readonly tags: readonly string[];
  readonly responses: Record<
    string,
    {
      content: Record<
        string,
        { schema: { $ref: string }; examples?: Record<string, { value: Record<string, unknown> }> }
      >;
    }
  >;
}

beforeAll(async () => {
  cluster = await openCluster();
  const node = await cluster.node();
  api = (await node.call('/openapi.json')).body;
});
afterAll(() => cluster.close());

/** The endpoints of the specification, with the statuses of its tables; 401 holds for all of them. */
const ENDPOINTS: Readonly<Record<string, readonly number[]>> = {
  'get /system/company': [200],
  'patch /company': [200, 403],
  'get /system/company/contacts': [200, 204, 400],
  'post /company/contacts': [201, 400, 403],
  'patch /company/contacts/{contact_id}': [200, 400, 403, 404],
  'delete /company/contacts/{contact_id}': [200, 403, 404],
  'get /company/locations': [200],
  'post /company/locations': [201, 400, 403],
  'patch /company/locations/{location_id}': [200, 400, 403, 404],
  'delete /company/locations/{location_id}': [200, 403, 404],
  'get /instances': [200],
  'get /instances/{instance_uuid}/bulks/extensions': [200, 404],
  'post /instances/{instance_uuid}/bulks/extensions': [201, 400, 502],
  'get /account/{contact_id}/extensions': [200, 404],
  'get /instances/{instance_uuid}/extensions': [200, 404],
  'post /instances/{instance_uuid}/bulks/extensions/check': [200, 400, 404],
  'put /instances/{instance_uuid}/bulks/extensions/{extension_id}': [200, 400, 404, 502],
  'delete /instances/{instance_uuid}/bulks/extensions/{extension_id}': [200, 404, 502],
};

test('The OpenAPI document has every endpoint of the specification, with its parameters', () => {
  for (const endpoint of Object.keys(ENDPOINTS)) {
    const [method, path] = endpoint.split(' ') as [string, string];
    expect([endpoint, api.paths[path]?.[method]?.summary]).toEqual([endpoint, expect.any(String)]);
  }
  const post = api.paths['/instances/{instance_uuid}/bulks/extensions'].post;
  const { properties } = post.requestBody.content['application/json'].schema;
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(['data', 'location_id', 'purpose', 'user']));
  expect(Object.keys(properties.data.properties).length).toBeGreaterThan(90);
  const list = api.paths['/instances/{instance_uuid}/extensions'].get.parameters.map(
    ({ name }: { name: string }) => name,
  );
  expect(list).toEqual(
    expect.arrayContaining(['instance_uuid', 'filter_by', 'by_user', 'search', 'page', 'page_size']),
  );
});

test.each(Object.entries(ENDPOINTS))(
  'The OpenAPI document lists for %s every status of the specification: %j',
  (endpoint, statuses) => {
    const [method, path] = endpoint.split(' ') as [string, string];
    const said = Object.keys(api.paths[path][method].responses);
    expect(said).toEqual(expect.arrayContaining([...statuses, 401].map(String)));
  },
);

test('Every error response of every telephony route has the problem body, and so have its examples', () => {
  const { required, properties } = api.components.schemas.Problem;
  expect(Object.keys(properties).sort()).toEqual(['detail', 'status', 'title', 'type']);
  let seen = 0;
  for (const [path, methods] of Object.entries<Record<string, Operation>>(api.paths)) {
    for (const { tags, responses } of Object.values(methods).filter((each) => each.tags[0] === 'telephony')) {
      for (const [status, { content }] of Object.entries(responses).filter(([code]) => Number(code) >= 400)) {
        const { schema, examples = {} } = content['application/json']!;
        expect([path, tags, schema.$ref]).toEqual([path, tags, '#/components/schemas/Problem']);
        for (const { value } of Object.values(examples)) {
          expect(Object.keys(value)).toEqual(expect.arrayContaining(required));
          // A code only where a page of the portal has to distinguish refusals.
          const type = expect.stringMatching(/^about:blank$|^[A-Z]+_[A-Z]+$/);
          expect(value).toMatchObject({ status: Number(status), type, detail: expect.any(String) });
          seen += 1;
        }
      }
    }
  }
  expect(seen).toBeGreaterThan(100);
});

test.each([
  ['texting', ['id', 'from', 'to', 'text', 'media', 'received_at', 'message_id', 'status']],
  ['fax', ['id', 'from', 'to', 'pages', 'content', 'media_url', 'message_id', 'status']],
])('The OpenAPI document describes the fields and the responses of the %s webhook', (about, fields) => {
  const { requestBody, responses } = api.paths[`/webhooks/${about}/{carrier}/{token}`].post;
  const { properties } = requestBody.content['application/json'].schema;
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields));
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['204', '401', '404', '503']));
  expect(responses).not.toHaveProperty('200');
});
