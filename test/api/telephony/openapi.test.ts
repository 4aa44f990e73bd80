import { openCluster, type Cluster } from '../../support/cluster';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());

/** The endpoints of the specification. */
const ENDPOINTS = [
  'get /system/company',
  'patch /company',
  'get /system/company/contacts',
  'post /company/contacts',
  'patch /company/contacts/{contact_id}',
  'delete /company/contacts/{contact_id}',
  'get /company/locations',
  'post /company/locations',
  'patch /company/locations/{location_id}',
  'delete /company/locations/{location_id}',
  'get /instances',
  'get /instances/{instance_uuid}/bulks/extensions',
  'post /instances/{instance_uuid}/bulks/extensions',
  'get /account/{contact_id}/extensions',
  'get /instances/{instance_uuid}/extensions',
  'post /instances/{instance_uuid}/bulks/extensions/check',
  'put /instances/{instance_uuid}/bulks/extensions/{extension_id}',
  'delete /instances/{instance_uuid}/bulks/extensions/{extension_id}',
];

test('the OpenAPI document has every endpoint of the specification, with its parameters', async () => {
  const node = await cluster.node();
  const { paths } = (await node.call('/openapi.json')).body;
  for (const endpoint of ENDPOINTS) {
    const [method, path] = endpoint.split(' ') as [string, string];
    expect([endpoint, paths[path]?.[method]?.summary]).toEqual([endpoint, expect.any(String)]);
  }
  const post = paths['/instances/{instance_uuid}/bulks/extensions'].post;
  const { properties } = post.requestBody.content['application/json'].schema;
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(['data', 'location_id', 'purpose', 'user']));
  expect(Object.keys(properties.data.properties).length).toBeGreaterThan(90);
  const list = paths['/instances/{instance_uuid}/extensions'].get.parameters.map(({ name }: { name: string }) => name);
  expect(list).toEqual(
    expect.arrayContaining(['instance_uuid', 'filter_by', 'by_user', 'search', 'page', 'page_size']),
  );
});
