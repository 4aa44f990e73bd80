import { firstHop, hostOf, nextHop, portOf } from '../../../../src/kernel/outbound/hop';

const get = (url: string, headers: Record<string, string> = {}) => firstHop({ url, method: 'GET', headers });
const post = (url: string) =>
  firstHop({ url, method: 'POST', headers: { Authorization: 'Bearer x' }, body: 'token=1' });

describe('Addresses of requests', () => {
  test.each([
    'ftp://a.example/',
    'file:///etc/passwd',
    'gopher://a.example/',
    'data:text/html,x',
    'javascript:alert(1)',
    'a.example',
    '//a.example/',
    '',
    'http://',
    'http://a b/',
    `http://a.example/${'x'.repeat(5000)}`,
  ])('The address "%s" is refused', (url) => {
    expect(() => get(url)).toThrow(expect.objectContaining({ trouble: 'bad-url' }));
  });

  test.each([
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://[::FFFF:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://A.Example./', 'a.example'],
  ])('The host of %s is %s, however it is written', (url, host) => {
    expect(hostOf(get(url).url)).toBe(host);
  });

  test('The port of an address defaults to the port of its scheme', () => {
    const ports = ['http://a.example', 'https://a.example', 'http://a.example:8080'].map((url) => portOf(get(url).url));
    expect(ports).toEqual([80, 443, 8080]);
  });

  test('Credentials in an address become a header and are removed from the address', () => {
    const { url, headers } = get('https://me:p%40ss@a.example/x');
    expect(url.href).toBe('https://a.example/x');
    expect(headers).toEqual({ authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` });
    expect(get('https://100%25:x@a.example/').headers['authorization']).toBeDefined();
  });
});

describe('Redirects', () => {
  test.each([301, 302, 303, 307, 308])('A redirect with status %d is followed by a GET', (status) => {
    expect(nextHop(get('https://a.example/x/y'), status, '../z')?.url.href).toBe('https://a.example/z');
  });

  test.each([200, 204, 300, 304, 404, 500])('The status %d is not a redirect', (status) => {
    expect(nextHop(get('https://a.example/'), status, '/x')).toBeUndefined();
  });

  test('A redirect without a location is not followed', () => {
    expect(nextHop(get('https://a.example/'), 302, undefined)).toBeUndefined();
  });

  test('A redirect to another scheme is refused', () => {
    const follow = () => nextHop(get('https://a.example/'), 302, 'file:///etc/passwd');
    expect(follow).toThrow(expect.objectContaining({ trouble: 'bad-url' }));
  });

  const SECRETS = { Authorization: 'Basic x', Cookie: 'a=b', 'User-Agent': 'test' };

  test('A redirect within one origin keeps the credentials', () => {
    const next = nextHop(get('https://a.example/', SECRETS), 302, '/login');
    expect(next?.headers).toEqual({ authorization: 'Basic x', cookie: 'a=b', 'user-agent': 'test' });
  });

  test.each(['http://a.example/', 'https://b.example/', 'https://a.example:8443/'])(
    'A redirect from https://a.example to %s drops the credentials',
    (place) => {
      expect(nextHop(get('https://a.example/', SECRETS), 302, place)?.headers).toEqual({ 'user-agent': 'test' });
    },
  );

  test('A redirect cannot add credentials of its own', () => {
    const next = nextHop(get('https://a.example/'), 302, 'https://me:secret@b.example/x');
    expect(next).toMatchObject({ headers: {} });
    expect(next?.url.href).toBe('https://b.example/x');
  });

  test.each([307, 308])(
    'A redirect of a POST with status %d is followed within the origin, with its body',
    (status) => {
      expect(nextHop(post('https://a.example/'), status, '/new')).toMatchObject({ method: 'POST', body: 'token=1' });
    },
  );

  test.each([
    [307, 'https://b.example/'],
    [308, 'http://a.example/'],
    [301, '/new'],
    [302, '/new'],
    [303, '/new'],
  ])('A redirect of a POST with status %d to %s is not followed', (status, place) => {
    expect(nextHop(post('https://a.example/'), status, place)).toBeUndefined();
  });
});
