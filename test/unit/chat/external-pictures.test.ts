import {
  externalExtension,
  externalPath,
  isPublicPicture,
  signedUrl,
  withoutOrigin,
} from '../../../src/chat/model/uploads/external-picture';
import { openSecrets } from '../../../src/kernel/secrets/secrets';
import { PNG, rectangle } from '../../support/pictures';

const secrets = openSecrets('a key of this server');
const URL_OF_PICTURE = 'https://images.example/ü.png?a=1';

const partsOf = (path: string): [string, string] => {
  const [, hmac = '', hex = ''] = /^\/external_content\/([0-9a-f]{64})\/([0-9a-f]+)$/.exec(path) ?? [];
  return [hmac, hex];
};

describe('Addresses of pictures of other servers', () => {
  const [hmac, hex] = partsOf(externalPath(secrets, URL_OF_PICTURE));

  test('The path of an external picture contains an HMAC and the URL in hexadecimal, and decodes to the URL', () => {
    expect(Buffer.from(hex, 'hex').toString()).toBe(URL_OF_PICTURE);
    expect(signedUrl(secrets, hmac, hex)).toBe(URL_OF_PICTURE);
    expect(externalPath(secrets, URL_OF_PICTURE)).toBe(`/external_content/${hmac}/${hex}`);
  });

  test.each([
    ['another URL', hmac, Buffer.from('https://images.example/other.png').toString('hex')],
    ['another HMAC', hmac.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), hex],
    ['a cut HMAC', hmac.slice(1), hex],
    ['no HMAC', '', hex],
    ['the HMAC of another server', partsOf(externalPath(openSecrets('another key'), URL_OF_PICTURE))[0], hex],
    ['what is no hexadecimal number', hmac, 'https:'],
    ['more behind the URL', hmac, `${hex}zz`],
  ])('A picture path with %s is refused', (_, given, address) =>
    expect(signedUrl(secrets, given, address)).toBeUndefined(),
  );
});

describe('Types of pictures of other servers', () => {
  /** As Windows writes it: a file header of 14 bytes, then one of 40. */
  const bitmap = Buffer.from(`424d${'3a000000'}00000000${'36000000'}28000000${'00'.repeat(40)}`, 'hex');

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['png', () => PNG],
    ['jpg', () => rectangle(2, 2).jpeg().toBuffer()],
    ['gif', () => rectangle(2, 2).gif().toBuffer()],
    ['webp', () => rectangle(2, 2).webp().toBuffer()],
    ['bmp', () => bitmap],
  ])('The first bytes of a %s picture tell its type', async (extension, make) =>
    expect(externalExtension(await make())).toBe(extension),
  );

  test.each([
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a PDF', '%PDF-1.7'],
    ['a script that begins like a bitmap', 'BM=1;/*'],
    ['nothing', ''],
  ])('A file that begins like %s is not a picture', (_, text) =>
    expect(externalExtension(Buffer.from(text))).toBeUndefined(),
  );
});

describe('Addresses of this server', () => {
  const own = 'https://chat.example.com';

  test.each([
    [`${own}/user_uploads/1/ab/c/d.png?x=1`, '/user_uploads/1/ab/c/d.png?x=1'],
    ['https://chat.example.com:443/static/x.png', '/static/x.png'],
    ['https://chat.example.com.evil.example/x.png', 'https://chat.example.com.evil.example/x.png'],
    ['https://chat.example.com@evil.example/x.png', 'https://chat.example.com@evil.example/x.png'],
    ['user_uploads/1/ab/c/d.png', 'user_uploads/1/ab/c/d.png'],
  ])('For this server, the address %s is %s', (address, expected) =>
    expect(withoutOrigin(address, own)).toBe(expected),
  );

  test.each([
    ['/user_avatars/1/emoji/images/2.png?version=2', true],
    ['/static/images/logo/x.png', true],
    ['/static/../web/session', false],
    ['//static/x.png', false],
    ['/static/x\r\nSet-Cookie: a=b', false],
    ['/api/v1/users', false],
    ['/user_uploads/1/ab/c.png', false],
  ])('Whether the picture %j is public: %s', (path, expected) => expect(isPublicPicture(path)).toBe(expected));
});
